// Random boards of peg solitaire for the native searches, to be built with sanitizers.
//
//     fuzz_peg SECONDS [FIRST SEED] [LAST SEED]
//
// On small boards the numbers of sequences, the sequences themselves and the fewest moves are those
// that plain recursion finds. Wrong boards and positions end in an exception. A failure names its
// seed.

#include <algorithm>
#include <bit>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <map>
#include <random>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

#include "peg_count.hpp"
#include "peg_find.hpp"
#include "peg_shortest.hpp"

using namespace exactile;

namespace {

constexpr std::uint64_t kPlenty = std::uint64_t{1} << 30;
constexpr std::uint64_t kMostSequences = 20'000;  // boards with more are passed over

struct Rng {
    std::mt19937_64 source;
    int number(int low, int high) { return std::uniform_int_distribution<int>(low, high)(source); }
    bool one_in(int n) { return number(1, n) == 1; }
};

void demand(bool holds, const std::string& what) {
    if (!holds) throw std::logic_error(what);
}

struct Game {
    int holes;
    std::vector<int> jumps, symmetries;
    Position start;
    std::vector<Position> goals;
};

// A line of holes whose mirror image is the same, or any jumps on any holes.
Game random_game(Rng& rng) {
    Game game;
    game.holes = rng.number(3, 9);
    for (int h = 0; h < game.holes; ++h) game.symmetries.push_back(h);
    const bool line = rng.one_in(3);
    if (line) {
        for (int h = 0; h + 2 < game.holes; ++h)
            for (const int hole : {h, h + 1, h + 2, h + 2, h + 1, h}) game.jumps.push_back(hole);
    } else {
        for (int j = rng.number(0, 14); j > 0; --j) {
            std::vector<int> three(game.symmetries);
            std::shuffle(three.begin(), three.end(), rng.source);
            game.jumps.insert(game.jumps.end(), three.begin(), three.begin() + 3);
        }
    }
    const Position all = (Position{1} << game.holes) - 1;
    game.start = static_cast<Position>(rng.number(1, static_cast<int>(all)));
    const int left = rng.number(1, 2);
    for (Position p = 1; p <= all; ++p) {
        const bool chosen = std::popcount(p) == left && (line || rng.one_in(2));
        if (chosen) game.goals.push_back(p);  // on a line all of them: mirror images too
    }
    if (game.goals.empty()) game.goals.push_back(1);
    if (line)
        for (int h = game.holes - 1; h >= 0; --h) game.symmetries.push_back(h);
    return game;
}

// All sequences by recursion, and for each its number of moves.
struct Brute {
    const PegBoard& board;
    std::set<Position> goals;
    int jumps_left;
    std::vector<std::int32_t> path;
    std::set<std::vector<std::int32_t>> sequences;
    std::map<int, std::uint64_t> by_moves;

    // Returns false if there are too many.
    bool search(Position p) {
        if (path.size() == static_cast<std::size_t>(jumps_left)) {
            if (goals.count(p) > 0) note();
            return sequences.size() <= kMostSequences;
        }
        for (std::size_t j = 0; j < board.jumps().size(); ++j) {
            if (!board.jumps()[j].allowed(p)) continue;
            path.push_back(static_cast<std::int32_t>(j));
            const bool go_on = search(board.jumps()[j].after(p));
            path.pop_back();
            if (!go_on) return false;
        }
        return true;
    }

    void note() {
        int moves = 0, last = -1;
        for (const std::int32_t j : path) {
            moves += board.jumps()[j].from != last;
            last = board.jumps()[j].to;
        }
        sequences.insert(path);
        ++by_moves[moves];
    }
};

std::uint64_t value(const std::vector<Limb>& totals, std::size_t width, std::size_t k) {
    std::uint64_t result = 0;
    for (std::size_t limb = std::min<std::size_t>(width, 2); limb-- > 0;)
        result = result << 32 | totals[k * width + limb];
    return result;
}

void check_counts(const Game& game, const PegBoard& board, const Brute& brute, Rng& rng) {
    const bool by_moves = rng.one_in(2);
    PegCounter counter(board, game.start, game.goals, by_moves, kPlenty);
    while (counter.run(1e-4) == PegStatus::running) {
    }
    const std::size_t width = counter.totals().size() / counter.numbers();
    std::uint64_t all = 0;
    for (std::size_t k = 0; k < counter.numbers(); ++k) {
        const std::uint64_t number = value(counter.totals(), width, k);
        all += number;
        const auto known = brute.by_moves.find(static_cast<int>(k));
        if (by_moves)
            demand(number == (known == brute.by_moves.end() ? 0 : known->second), "a wrong number");
    }
    demand(all == brute.sequences.size(), "a wrong number of sequences");
}

void check_found(const Game& game, const PegBoard& board, const Brute& brute, Rng& rng) {
    PegFinder finder(board, game.start, game.goals, kPlenty);
    std::set<std::vector<std::int32_t>> found;
    for (PegStatus status = PegStatus::running; status == PegStatus::running;) {
        status = finder.run(1e-3, static_cast<std::size_t>(rng.number(1, 50)), kPlenty);
        const auto length = static_cast<std::size_t>(std::max(finder.length(), 0));
        const std::size_t rows = finder.waiting();
        const std::vector<std::int32_t> taken = finder.take();
        for (std::size_t r = 0; r < rows; ++r)
            demand(found
                       .emplace(taken.begin() + static_cast<std::ptrdiff_t>(r * length),
                                taken.begin() + static_cast<std::ptrdiff_t>((r + 1) * length))
                       .second,
                   "a sequence found twice");
    }
    demand(found == brute.sequences, "other sequences");
}

void check_fewest(const Game& game, const PegBoard& board, const Brute& brute, Rng& rng) {
    PegShortest shortest(board, game.start, game.goals, rng.one_in(2), kPlenty);
    while (shortest.run(1e-4) == PegStatus::running) {
    }
    const int fewest = brute.by_moves.empty() ? -1 : brute.by_moves.begin()->first;
    demand(shortest.moves() == fewest, "another number of moves");
    for (int k = 0; k <= fewest; ++k)
        demand(!shortest.useful(k).empty(), "a level without position");
}

// Returns whether the game was refused.
bool check(Rng& rng) {
    Game game = random_game(rng);
    const bool wrong = rng.one_in(4);
    if (wrong) {
        if (rng.one_in(2) && !game.jumps.empty()) game.jumps[0] = rng.number(-2, 70);
        if (rng.one_in(2)) game.symmetries[0] = rng.number(-2, 70);
        if (rng.one_in(3)) game.holes = rng.number(-1, 70);
        if (rng.one_in(3)) game.start = rng.source();
        if (rng.one_in(3)) game.goals.push_back(rng.source());
    }
    try {
        const PegBoard board(game.holes, game.jumps, game.symmetries);
        if (wrong) {  // it may be another game now, and a large one: no memory to speak of
            PegCounter(board, game.start, game.goals, true, 1 << 16).run(1e-3);
            PegFinder(board, game.start, game.goals, 1 << 16).run(1e-3, 5, 1000);
            PegShortest(board, game.start, game.goals, true, 1 << 16).run(1e-3);
            return false;
        }
        const int jumps = std::popcount(game.start) - std::popcount(game.goals[0]);
        Brute brute{board, {game.goals.begin(), game.goals.end()}, jumps, {}, {}, {}};
        if (jumps >= 0 && !brute.search(game.start)) return false;
        check_counts(game, board, brute, rng);
        check_found(game, board, brute, rng);
        check_fewest(game, board, brute, rng);
    } catch (const std::invalid_argument&) {
        demand(wrong, "a good board is refused");
        return true;
    }
    return false;
}

}  // namespace

int main(int argc, char** argv) {
    if (argc < 2) {
        std::fprintf(stderr, "usage: fuzz_peg SECONDS [FIRST SEED] [LAST SEED]\n");
        return 2;
    }
    using Clock = std::chrono::steady_clock;
    const auto end = Clock::now() + std::chrono::duration<double>(std::atof(argv[1]));
    const long first = argc > 2 ? std::atol(argv[2]) : 0;
    const long last = argc > 3 ? std::atol(argv[3]) : std::numeric_limits<long>::max();
    long refused = 0, seed = first;
    for (; seed <= last && Clock::now() < end; ++seed) {
        Rng rng{std::mt19937_64(static_cast<std::uint64_t>(seed))};
        try {
            refused += check(rng);
        } catch (const std::exception& error) {
            std::fprintf(stderr, "seed %ld: %s\n", seed, error.what());
            return 1;
        }
    }
    std::printf("seeds %ld to %ld; refused: %ld boards\n", first, seed - 1, refused);
    return 0;
}
