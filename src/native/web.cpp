// The searches for a page without a server: compiled to WebAssembly, called from its worker.
//
// Arrays lie in `Arrays` objects, which the caller makes and fills. A function that can fail
// returns 0, or -1 and words in `error_words()`.

#include <algorithm>
#include <cstdint>
#include <exception>
#include <limits>
#include <new>
#include <string>
#include <utility>
#include <vector>

#include "count.hpp"
#include "engine.hpp"
#include "finder.hpp"
#include "front_count.hpp"
#include "peg_find.hpp"
#include "similar.hpp"

#define WEB extern "C" __attribute__((used, visibility("default")))

namespace {

using exactile::Index;

constexpr int kArrays = 8;

// Bits of the kind of an engine: sparse sets, and nodes that are watched one by one.
constexpr int kSparse = 1, kWatched = 2;

struct Arrays {
    std::vector<Index> array[kArrays];
};

std::string words;
std::vector<Index> result;

// Call a function and return 0, or keep the words of what it throws and return -1.
template <typename F>
int guarded(F&& call) {
    try {
        call();
        return 0;
    } catch (const std::exception& error) {
        words = error.what();
        return -1;
    }
}

std::vector<std::int64_t> longs(const std::vector<Index>& from) {
    return {from.begin(), from.end()};
}

// The arrays are, in this order: lower and upper bounds, first members, members, colors.
exactile::Cover cover_of(const Arrays& a) {
    return {a.array[0], a.array[1], longs(a.array[2]), a.array[3], a.array[4]};
}

}  // namespace

WEB const char* error_words() { return words.c_str(); }

WEB Arrays* arrays_new() { return new (std::nothrow) Arrays; }
WEB void arrays_free(Arrays* a) { delete a; }
// Where to write an array; null if memory does not suffice, or the size is 0.
WEB Index* arrays_sized(Arrays* a, int which, int size) {
    const auto resize = [&] { a->array[which].resize(static_cast<std::size_t>(size)); };
    return guarded(resize) ? nullptr : a->array[which].data();
}

// The last result: numbers that stay until the next call.
WEB const Index* result_data() { return result.data(); }
WEB int result_size() { return static_cast<int>(result.size()); }

WEB exactile::Engine* engine_new(const Arrays* a, int kind) {
    exactile::Engine* made = nullptr;
    guarded([&] {
        exactile::Tuning tuning;
        const bool sparse = (kind & kSparse) != 0;
        tuning.method = sparse ? exactile::Method::kSparse : exactile::Method::kBits;
        tuning.endgame = (kind & kWatched) == 0;
        made = new exactile::Engine(cover_of(*a), tuning);
    });
    return made;
}

WEB void engine_free(exactile::Engine* engine) { delete engine; }

// The prefixes are array 5: for each its length and its moves. Their weights are array 6.
WEB int engine_begin(exactile::Engine* engine, const Arrays* a) {
    return guarded([&] {
        std::vector<exactile::Prefix> prefixes;
        const std::vector<Index>& flat = a->array[5];
        for (std::size_t k = 0; k < flat.size(); k += static_cast<std::size_t>(flat[k]) + 1) {
            const auto begin = flat.begin() + static_cast<std::ptrdiff_t>(k) + 1;
            const double weight = a->array[6].at(prefixes.size());
            prefixes.push_back({{begin, begin + flat[k]}, weight});
        }
        engine->set_prefixes(std::move(prefixes));
    });
}

// Search for some time, or until `limit` solutions are found; if it is negative, only count them.
// The result is the solutions: for each the number of its options, then the options.
WEB int engine_run(exactile::Engine* engine, int limit, double seconds, double nodes) {
    return guarded([&] {
        exactile::Limits limits;
        limits.keep = limit >= 0;
        if (limits.keep) limits.solutions = limit;
        limits.seconds = seconds;
        if (nodes > 0) limits.nodes = static_cast<std::uint64_t>(nodes);
        engine->run(limits);
        result.clear();
        if (!limits.keep) return;
        const exactile::Paths taken = engine->take(limit);
        std::size_t begin = 0;
        for (const std::size_t end : taken.ends) {
            result.push_back(static_cast<Index>(end - begin));
            result.insert(result.end(), taken.moves.begin() + static_cast<std::ptrdiff_t>(begin),
                          taken.moves.begin() + static_cast<std::ptrdiff_t>(end));
            begin = end;
        }
    });
}

// What is not searched yet becomes the result: each prefix as its length and its moves.
WEB void engine_prefixes(const exactile::Engine* engine) {
    result.clear();
    for (const exactile::Prefix& prefix : engine->prefixes()) {
        result.push_back(static_cast<Index>(prefix.path.size()));
        result.insert(result.end(), prefix.path.begin(), prefix.path.end());
    }
}

WEB double engine_count(const exactile::Engine* engine) {
    return static_cast<double>(engine->count());
}
WEB int engine_exhausted(const exactile::Engine* engine) { return engine->exhausted() ? 1 : 0; }
WEB double engine_remaining(const exactile::Engine* engine) { return engine->remaining(); }
WEB double engine_nodes(const exactile::Engine* engine) {
    return static_cast<double>(engine->nodes());
}

// The order of the items is array 5.
WEB exactile::Counter* counter_new(const Arrays* a, double most_states, double most_bytes) {
    exactile::Counter* made = nullptr;
    guarded([&] {
        const exactile::CountProblem problem{a->array[0], a->array[1], longs(a->array[2]),
                                             a->array[3], a->array[4], a->array[5]};
        made = new exactile::Counter(problem, false, static_cast<std::uint64_t>(most_states),
                                     static_cast<std::uint64_t>(most_bytes), true);
    });
    return made;
}

WEB void counter_free(exactile::Counter* counter) { delete counter; }

// Count for some time. The result is the status (0 running, 1 done, 2 too many states, 3 out of
// memory); if done, then the total in limbs of 32 bits, the least first.
WEB int counter_run(exactile::Counter* counter, double seconds) {
    return guarded([&] {
        const auto status = counter->run(seconds);
        result.assign(1, static_cast<Index>(status));
        if (status != exactile::Counter::Status::done) return;
        for (const exactile::Limb limb : counter->total())
            result.push_back(static_cast<Index>(limb));
    });
}

WEB double counter_done(const exactile::Counter* counter) {
    return counter->layers() == 0
               ? 0
               : static_cast<double>(counter->layer()) / static_cast<double>(counter->layers());
}
WEB double counter_states(const exactile::Counter* counter) {
    return static_cast<double>(counter->states());
}

// Array 5: for each item whether it is a piece; 6 and 7: the neighbors of the items.
WEB exactile::Ground* ground_new(const Arrays* a) {
    exactile::Ground* made = nullptr;
    guarded([&] {
        const std::vector<std::uint8_t> piece(a->array[5].begin(), a->array[5].end());
        made = new exactile::Ground(cover_of(*a), piece, longs(a->array[6]), a->array[7]);
    });
    return made;
}

WEB void ground_free(exactile::Ground* ground) { delete ground; }

// One attempt to find a solution: by a beam of some width, by a restart if the width is 0. Array 5
// is the order of the units, or of all items. The result is whether all was searched, then the
// solution, if any.
WEB int ground_try(exactile::Ground* ground, const Arrays* a, int width, double rest, double nodes,
                   double seed) {
    return guarded([&] {
        const auto most = static_cast<std::uint64_t>(nodes);
        const auto dice = static_cast<std::uint64_t>(seed);
        exactile::BeamSetting setting;
        setting.width = width;
        setting.rest = rest;
        const exactile::Attempt attempt =
            width > 0 ? exactile::beam(*ground, a->array[5], setting, most, dice)
                      : exactile::restart(*ground, a->array[5], {}, most, dice);
        result.assign(1, attempt.exhausted ? 1 : 0);
        result.insert(result.end(), attempt.solution.begin(), attempt.solution.end());
    });
}

// Counting by a frontier. Array 5: the order of the items; 6: for each whether it is kept in lists.
WEB exactile::FrontCounter* front_new(const Arrays* a, double most_nodes, double most_bytes) {
    exactile::FrontCounter* made = nullptr;
    guarded([&] {
        const exactile::CountProblem problem{a->array[0], a->array[1], longs(a->array[2]),
                                             a->array[3], a->array[4], a->array[5]};
        const std::vector<bool> supplied(a->array[6].begin(), a->array[6].end());
        const auto bytes = static_cast<std::uint64_t>(most_bytes);
        const auto nodes = static_cast<std::uint64_t>(most_nodes);
        made = new exactile::FrontCounter(problem, supplied, {nodes, bytes, bytes, 1, ""});
    });
    return made;
}

WEB void front_free(exactile::FrontCounter* front) { delete front; }

// Build the automaton, or count, for some time. The result is the status (0 building, 1 counting,
// 2 done, 3 too large, 4 out of memory); if done, then the total, as in counter_run.
WEB int front_run(exactile::FrontCounter* front, double seconds) {
    return guarded([&] {
        const bool building = front->status() == exactile::FrontCounter::Status::building;
        const auto status = building ? front->build(seconds) : front->run(seconds);
        result.assign(1, static_cast<Index>(status));
        if (status != exactile::FrontCounter::Status::done) return;
        for (const exactile::Limb limb : front->total()) result.push_back(static_cast<Index>(limb));
    });
}

WEB double front_bound(const exactile::FrontCounter* front) { return front->bound(); }
WEB double front_done(const exactile::FrontCounter* front) { return front->done(); }
WEB double front_entries(const exactile::FrontCounter* front) {
    return static_cast<double>(front->entries());
}

// Peg solitaire. The arrays are, in this order: the holes with pegs, three holes for each jump, the
// image of each hole under each symmetry, and the holes in which a last peg may remain.
WEB exactile::PegFinder* peg_new(const Arrays* a, int holes, double most_bytes) {
    exactile::PegFinder* made = nullptr;
    guarded([&] {
        exactile::Position start = 0;
        for (const Index hole : a->array[0]) start |= exactile::Position{1} << hole;
        std::vector<exactile::Position> goals;
        for (const Index hole : a->array[3]) goals.push_back(exactile::Position{1} << hole);
        made = new exactile::PegFinder({holes, a->array[1], a->array[2]}, start, std::move(goals),
                                       static_cast<std::uint64_t>(most_bytes));
    });
    return made;
}

WEB void peg_free(exactile::PegFinder* finder) { delete finder; }

// Search for some time. The result is the status (0 running, 1 done, 2 out of memory), then the
// numbers of the jumps of a solution, if there is one.
WEB int peg_run(exactile::PegFinder* finder, double seconds) {
    return guarded([&] {
        const auto status = finder->run(seconds, 1, std::numeric_limits<std::uint64_t>::max());
        result.assign(1, static_cast<Index>(status));
        const std::vector<Index> found = finder->take();
        result.insert(result.end(), found.begin(), found.end());
    });
}

// Blocks and exchanges of solutions; see similar.hpp for the arrays 0 to 3. The result is the
// number of maps whose unions are left out, and for each record its solution, its map, the number
// of its placements, and these.
WEB int similar_moves(const Arrays* a, int units, int width) {
    return guarded([&] {
        const auto size = [](int number) { return static_cast<std::size_t>(number); };
        const std::vector<std::uint8_t> wanted(a->array[3].begin(), a->array[3].end());
        const exactile::Moves found = exactile::find_moves(
            {a->array[0].size() / size(units), size(units), size(width), wanted.size(),
             a->array[0].data(), a->array[1].data(), a->array[2].data(), wanted.data()});
        result.assign(1, static_cast<Index>(found.cut_short));
        for (std::size_t k = 0; k < found.solutions.size(); ++k) {
            const auto begin = found.placements.begin() + found.first[k];
            const auto end = found.placements.begin() + found.first[k + 1];
            result.insert(result.end(),
                          {found.solutions[k], found.maps[k], static_cast<Index>(end - begin)});
            result.insert(result.end(), begin, end);
        }
    });
}
