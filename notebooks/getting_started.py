# %% [markdown]
# # Getting started
#
# Play a game by hand, play a few hundred by machine, and look at the table they leave.
# Open this file as a notebook (VS Code, or Jupyter with jupytext), or run it as it is.

# %%
import tempfile

import sim
from experiments.plan import Plan
from experiments.runner import run
from experiments.stats import block_interval
from experiments.store import PROGRESS

game = sim.load("westward-rails")
position = game.new(players=4, seed=7, starting_money=35)
position.play("bid 12").play("pass").play("bid 13")
print(position)

# %% [markdown]
# A plan says what to play. A block is one deal in every rotation of the seats, so luck and seat
# fall on every agent alike.

# %%
plan = Plan.build(
    {
        "game": "westward-rails",
        "players": [3],
        "agents": ["greedy", "builder", "racer"],
        "games": 150,
        "settings": {"starting_money": [20, 40]},
    }
)
with tempfile.TemporaryDirectory() as folder:
    table = run(plan, folder).table()
table[["settings", "block", "rotation", "seat", "agent", "win_share", "score", "turns"]].head()

# %% [markdown]
# Games of one block are not independent, so every interval is of block means.

# %%
blocks = table.groupby(["settings", "agent", "block"]).win_share.mean()
for (settings, agent), shares in blocks.groupby(level=["settings", "agent"]):
    share = block_interval(shares)
    print(f"{settings:18} {agent:8} {share.mean:.2f} ({share.low:.2f} to {share.high:.2f})")

# %% [markdown]
# The score over a game, by final rank.

# %%
course = table.groupby("rank")[list(PROGRESS)].mean().T
axes = course.plot(xlabel="part of the game", ylabel="score ($)", title="Money over the game")
