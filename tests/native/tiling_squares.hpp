// The lattice of squares, which are not turned.

#pragma once

#include "tiling_lattice.hpp"

inline exactile::tiling::Lattice squares() {
    using namespace exactile::tiling;
    Lattice lattice;
    lattice.dimension = 2;
    lattice.types = 1;
    lattice.turns = {{Vec{1, 0, 0}, Vec{0, 1, 0}, Vec{0, 0, 1}}};
    lattice.images = {{Unit{{}, 0}}};
    lattice.touching.resize(1);
    for (int x = -1; x <= 1; ++x)
        for (int y = -1; y <= 1; ++y)
            if (x != 0 || y != 0) lattice.touching[0].push_back({{x, y, 0}, 0});
    lattice.joined = {
        {{{1, 0, 0}, 0}, {{-1, 0, 0}, 0}, {{0, 1, 0}, 0}, {{0, -1, 0}, 0}},
    };
    lattice.complete();
    return lattice;
}
