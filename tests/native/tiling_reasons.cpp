// What a tile has its coronas from: square tiles around one that is to have six coronas.

#include <cstdio>
#include <cstdlib>
#include <set>

#include "tiling_squares.hpp"
#include "tiling_window.hpp"

using namespace exactile::tiling;

static void expect(const TileSet& set, const std::set<int>& tiles, const char* what) {
    std::set<int> found;
    set.each([&](int tile) { found.insert(tile); });
    if (found == tiles) return;
    std::printf("%s:", what);
    for (const int tile : found) std::printf(" %d", tile);
    std::printf("\n");
    std::exit(1);
}

int main() {
    const Lattice lattice = squares();
    const Prototiles prototiles(lattice, {{Unit{{}, 0}}});
    const Lemmas lemmas(prototiles);
    Window window(prototiles, lemmas, Rule::kCoronas);
    if (!window.open(9)) return 1;
    const auto put = [&](int x, int y, int coronas = -1) {
        window.place(window.number(Placement{0, {x, y, 0}}), coronas);
    };

    put(0, 0, 6);
    put(2, 0);
    put(0, 1);
    put(1, 2);
    put(2, 1);  // tile 4 touches tile 3, which touches tile 2: tile 1 has two coronas by it
    put(1, 0);  // by tile 5, it has four
    Reason reason;
    window.add_crowned(1, reason);
    expect(reason.crowned, {1, 5}, "the last tile gives");
    window.remove_last();
    window.add_crowned(0, reason);
    reason.remove(5);
    window.follow_givers(reason);
    expect(reason.crowned, {0, 1, 4}, "the one before gives as well");
    window.clear();

    put(0, 0, 6);
    put(2, 0);
    put(3, 0);
    put(1, 0);  // the giver of tile 2 is tile 1, which came before it, but has it from tile 3
    reason = {};
    window.add_crowned(2, reason);
    expect(reason.crowned, {1, 2, 3}, "what a giver has it from");
    expect(reason.tiles, {1, 2, 3}, "their tiles");
    std::printf("fine\n");
    return 0;
}
