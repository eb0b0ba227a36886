// A square tile with one corona, and eight tiles far away that enclose a place. A tile fills it in
// a large patch without holes; in a patch of one corona around the first tile there is none.

#include <cstdio>
#include <vector>

#include "tiling_search.hpp"
#include "tiling_squares.hpp"

using namespace exactile::tiling;

static Outcome outcome(const Prototiles& prototiles, int patch) {
    std::vector<Crowned> tiles = {{Placement{0, {0, 0, 0}}, 1}};
    for (int x = -1; x <= 1; ++x)
        for (int y = -1; y <= 1; ++y)
            if (x != 0 || y != 0) tiles.push_back({Placement{0, {6 + x, y, 0}}, 0});
    return Search(prototiles, Rule::kSolid, nullptr, patch).run(tiles, 0, 10'000);
}

int main() {
    const Lattice lattice = squares();
    const Prototiles prototiles(lattice, {{Unit{{}, 0}}});
    const bool fine =
        outcome(prototiles, 1) == Outcome::kRefuted && outcome(prototiles, 8) == Outcome::kFound;
    std::printf(fine ? "fine\n" : "wrong\n");
    return fine ? 0 : 1;
}
