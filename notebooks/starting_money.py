# %% [markdown]
# # How much starting money? Westward Rails with 3, 4 and 5 players
#
# Print what is printed: \$40, \$30 and \$24 with 3, 4 and 5 players. With weak and with greedy
# players every seat then wins its share, give or take 3 percentage points (216,600 games, 33 of 36
# cells fair; at the printed amounts the seat farthest off is 0.4 to 0.9 points away). Between
# players who search, seats differ more: at the printed amounts the farthest seat wins 30.1 % (27.2
# to 33.1) instead of 33.3 with 3 players, 28.6 % (25.7 to 31.7) instead of 25 with 4, and 17.8 %
# (15 to 21) instead of 20 with 5. That is fair within 6 points with 5 players and still undecided
# with 3 and 4 after some 2,500 games each. Some other amounts they make unfair: seat 2 of 3 wins
# 22.6 % (19 to 26) at \$30, seat 0 of 5 wins 33.2 % (28 to 39) at \$40. What more money does change
# is the price of a share: from 15 to 16 or 17 dollars between \$20 and \$48; games last as long as
# before.
#
# The map is reconstructed, and the players are this lab's; the last cell says what that means.

# %%
from pathlib import Path

from experiments import study
from experiments.report.sentences import headline

HERE = Path(__file__).parent if "__file__" in globals() else Path()
RUNS = Path(globals().get("RUNS", "runs"))  # what is there already is not played again
KEEP = Path(globals().get("KEEP", HERE / "starting_money"))
CHANGES = globals().get("CHANGES", {})  # of the plans, to play less

# %% [markdown]
# Weak players (every second move at random) and greedy ones (one move in ten) at six amounts of
# money, then players who search at three. Every cell is played until it is known whether all seats
# win their share, give or take a margin: 3 percentage points, and 6 for those who search, whose
# games take five hundred times as long. On two cores the first takes minutes, the second hours.

# %%
plain, searched = (
    study.played(HERE / f"{name}.toml", RUNS / name, CHANGES.get(name))
    for name in ("starting_money", "starting_money_search")
)
for view in (plain, searched):
    print(*headline(view), "", sep="\n")

# %% [markdown]
# ## Are the seats fair?

# %%
study.verdicts(plain)

# %%
study.verdicts(searched)

# %% [markdown]
# ## What money does change

# %%
money = study.courses(
    plain,
    "greedy:noise=0.1",
    {
        "Winning margin ($)": lambda cell: cell.score_margin,
        "Turns of a game": lambda cell: cell.turns,
        "Price of a share in later auctions ($)": lambda cell: (
            cell.measures["auction_price"].overall
        ),
        "Leader at half-time wins (%)": lambda cell: cell.leader_wins[50],
    },
    "Greedy players: more money at the start raises prices and leaves the game as long as it was",
)
money  # noqa: B018

# %% [markdown]
# ## What is kept
#
# The whole reports lie beside the runs; pictures and tables in the folder `starting_money`.

# %%
for view in (plain, searched):
    study.keep(view, KEEP)
money.savefig(KEEP / "money.png", dpi=130)

# %% [markdown]
# ## What it rests on
#
# The printed map is not publicly available, so that the board is a reconstruction, and the rulings
# of the game's README hold. Searching players play out 25 iterations of tree search a decision and
# lean less than usual on what the named strategies would do (`trust=0.4`): one of them among three
# greedy players wins 62 % (55 to 68 %, 160 games) where 25 % is fair. With the usual trust, 0.8, so
# short a search opens every game alike, and a seat that this suits wins far too often: seat 1 of 3
# won 22 of 25 games at $24, but 14 of 40 with 50 iterations and 11 of 40 with 200.
