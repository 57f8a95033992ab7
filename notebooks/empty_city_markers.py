# %% [markdown]
# # How many Empty City Markers? Railways of the World with 2 to 6 players, both maps
#
# Print what is printed: 10, 12, 14, 16 and 18 with 2 to 6 players; which number it is hardly
# matters to fairness. With weak and with greedy players no number from 8 to 20 is found unfair to
# any seat by more than 5 percentage points, on either map: of 140 cells 123 are fair within them,
# 17 undecided, none unfair (306,625 games). At the printed numbers the farthest seat is 0 to 3.4
# points off, and two of these twenty cells are undecided: greedy seat 1 of 4 wins 27.8 % (25.3 to
# 30.4) instead of 25 in the East, greedy seat 1 of 6 20.1 % (17.6 to 22.6) instead of 16.7 in the
# West; 16 and 12 markers would be fair there. One number for all would be 16 in the East, 20 in
# the West: seats are then off by 1.1 to 2.9 points.
#
# Between players who search, at the printed numbers in the West, seats are not seen to be unfair
# either, nor yet fair within 10 points after 350 games each: the farthest seat wins 52.3 % (44 to
# 61) with 2 players, 19.1 % (13 to 27) instead of 25 with 4, and 12.0 % (7 to 18) instead of 16.7
# with 6.
#
# So choose the number by how long a game shall be. With 8 markers two greedy players take 14 or 15
# turns and deliver 17 cubes each, with 20 they take 27 and deliver 34 or 35; six players take 10
# and 14. The more markers, the larger the engines, and the safer the lead of whoever has it at
# half-time (but for 4 players in the East): with 2 players it wins 82 to 93 %, with 6 46 to 58 %.
#
# The boards are reconstructions, and the players are this lab's; the last cell says what that
# means.

# %%
from pathlib import Path

from experiments import study
from experiments.report.sentences import headline

HERE = Path(__file__).parent if "__file__" in globals() else Path()
RUNS = Path(globals().get("RUNS", "runs"))  # what is there already is not played again
KEEP = Path(globals().get("KEEP", HERE / "empty_city_markers"))
CHANGES = globals().get("CHANGES", {})  # of the plans, to play less

# %% [markdown]
# Weak players (every second move at random) and greedy ones (one move in ten) on the maps of the
# Eastern and the Western U.S., with 8 to 20 markers; then players who search, at the printed
# numbers in the West. Every cell is played until it is known whether all seats win their share,
# give or take a margin: 5 percentage points, and 10 for those who search, whose games take a
# hundred times as long. On two cores the first two take half an hour, the third an hour.

# %%
eastern, western, searched = (
    study.played(HERE / f"{name}.toml", RUNS / name, CHANGES.get(name))
    for name in (
        "empty_city_markers_eastern",
        "empty_city_markers_western",
        "empty_city_markers_search",
    )
)
for view in (eastern, western, searched):
    print(*headline(view), "", sep="\n")

# %% [markdown]
# ## Are the seats fair?

# %%
study.verdicts(eastern)

# %%
study.verdicts(western)

# %%
study.verdicts(searched)

# %% [markdown]
# ## What the markers do change

# %%
course = {
    "Turns of a game": lambda cell: cell.turns,
    "Goods cubes that a player delivers": lambda cell: cell.measures["deliveries"].overall,
    "Engine level in the end": lambda cell: cell.measures["engine_level"].overall,
    "Leader at half-time wins (%)": lambda cell: cell.leader_wins[50],
}
finding = "Greedy players, {}: more markers make longer games with larger engines{}"
pictures = {
    "course_eastern": study.courses(
        eastern, "greedy:noise=0.1", course, finding.format("Eastern U.S.", "")
    ),
    "course_western": study.courses(
        western, "greedy:noise=0.1", course, finding.format("Western U.S.", " and safer leads")
    ),
}
pictures["course_eastern"]

# %%
pictures["course_western"]

# %% [markdown]
# ## What is kept
#
# The whole reports lie beside the runs; pictures and tables in the folder `empty_city_markers`.

# %%
for view in (eastern, western, searched):
    study.keep(view, KEEP)
for name, picture in pictures.items():
    picture.savefig(KEEP / f"{name}.png", dpi=130)

# %% [markdown]
# ## What it rests on
#
# The printed boards are not publicly available, so that both are reconstructions, and the rulings
# of the game's README hold. Greedy players who are behind issue Bonds without end, which fills the
# last turns of long games with 2. Players who search play out 10 iterations of tree search a
# decision.
