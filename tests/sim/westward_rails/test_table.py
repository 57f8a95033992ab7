"""What a player is told of an action before it is played, and of a name on the board."""

import random

import sim

GAME = sim.load("westward-rails")


def test_notes_tell_the_price_and_the_cube():
    """A lease by one route costs exactly what is told; one to be chosen, at least that."""
    draw, seen = random.Random(1), set()
    for seed in range(3):
        position = GAME.new(players=3, seed=seed)
        while not position.is_over and position.turn < 40:
            for text in position.legal():
                told = position.note(text)
                seen.add(told.split()[0] if told else "")
                if not told.startswith("lease $"):
                    continue
                price = int(told.removeprefix("lease $").split(",")[0].split()[0])
                after, seat = position.copy().play(text), position.to_move
                while after.legal() and after.legal()[0].startswith("route") and "or more" in told:
                    after.play(after.legal()[0])
                paid = after.state[0].lease_paid[seat] - position.state[0].lease_paid[seat]
                assert paid >= price if "or more" in told else paid == price
            position.play(draw.choice(position.legal()))
    assert {"", "opened", "$5", "cube", "completes", "lease"} <= seen


def test_names_explained():
    position = GAME.new(players=3, seed=1)
    assert "Denver, city, metro area front_range." in position.explain("Denver")
    assert any("boulder (1 free)" in line for line in position.explain("denver"))
    assert position.explain("santa_fe")[0].startswith("Santa Fe")
    assert "railroad from " in " ".join(position.explain("Texas & Pacific"))
    assert "front_range" not in position.explain("front_range")[0]
    assert "not upgraded: " in position.explain("front_range")[0]
    assert position.explain("nowhere") == []
