def pytest_addoption(parser):
    parser.addoption(
        "--update-golden",
        action="store_true",
        help="play the golden records anew and write them; read the difference before you keep it",
    )
