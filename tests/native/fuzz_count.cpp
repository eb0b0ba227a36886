// Random problems for the counters, to be built with sanitizers.
//
//     fuzz_count SECONDS [FIRST SEED] [LAST SEED]
//
// The memo, the front and a sampled frontier that keeps all states must agree with each other, and
// with all sets of options where they are few: whatever is in supply, in any order, with any number
// of threads, with lists on disk, stopped and gone on with from a file at any moment. Where they
// are few, all solutions by number, how many contain each option, and solutions that are drawn are
// compared, too. Equal rows are found whatever their hashes are. Malformed problems must end in an
// exception. A failure names its seed.

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <limits>
#include <map>
#include <memory>
#include <numeric>
#include <random>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

#include "count.hpp"
#include "equal_rows.hpp"
#include "front_count.hpp"
#include "kernels.hpp"
#include "sampled.hpp"

using namespace exactile;

namespace {

constexpr Index kMostTried = 12;  // so many options are tried in all sets

struct Rng {
    std::mt19937_64 source;
    // A number in [low, high].
    int number(int low, int high) { return std::uniform_int_distribution<int>(low, high)(source); }
    bool one_in(int n) { return number(1, n) == 1; }
};

void demand(bool holds, const std::string& what) {
    if (!holds) throw std::logic_error(what);
}

// Pieces, units in a row, and other items; most options take a piece and some units in succession.
CountProblem random_problem(Rng& rng, bool wide = false) {
    CountProblem problem;
    const int pieces = rng.number(0, 4), units = rng.number(1, 10), others = rng.number(0, 3);
    const int palette = rng.number(0, 2);
    for (int i = 0; i < pieces + units + others; ++i) {
        const bool unit = i >= pieces && i < pieces + units && !rng.one_in(20);
        int low = unit ? 1 : rng.number(0, 1), high = unit ? 1 : low + rng.number(0, 2);
        if (!unit && rng.one_in(10)) high = std::numeric_limits<int>::max();
        if (!unit && rng.one_in(3)) low = 0, high = 1;
        problem.lower.push_back(low);
        problem.upper.push_back(std::max(high, 1));
    }
    const int items = problem.items();
    problem.first = {0};
    const int options = wide || rng.one_in(2) ? rng.number(0, kMostTried) : rng.number(0, 60);
    // Wide states: many items, each of which excludes a pair of options.
    std::vector<std::vector<Index>> pairs(static_cast<std::size_t>(options));
    for (int more = wide && options > 1 ? rng.number(50, 330) : 0; more > 0; --more) {
        for (int side = 0; side < 2; ++side) {
            auto& row = pairs[static_cast<std::size_t>(rng.number(0, options - 1))];
            if (row.empty() || row.back() != problem.items()) row.push_back(problem.items());
        }
        problem.lower.push_back(0);
        problem.upper.push_back(1);
    }
    for (int o = 0; o < options; ++o) {
        std::vector<Index> row;
        if (pieces > 0 && !rng.one_in(10)) row.push_back(rng.number(0, pieces - 1));
        const int begin = rng.number(0, units - 1), size = rng.number(rng.one_in(15) ? 0 : 1, 4);
        for (int u = begin; u < std::min(begin + size, units); ++u) row.push_back(pieces + u);
        if (others > 0 && rng.one_in(3)) row.push_back(items - rng.number(1, others));
        if (!row.empty() && rng.one_in(10)) row.push_back(row.front());
        for (const Index i : row) {
            const bool paintable = problem.lower[i] == 0 && problem.upper[i] == 1 && i >= pieces;
            problem.members.push_back(i);
            problem.colors.push_back(paintable ? rng.number(0, palette) : 0);
        }
        for (const Index i : pairs[static_cast<std::size_t>(o)]) {
            problem.members.push_back(i);
            problem.colors.push_back(0);
        }
        problem.first.push_back(static_cast<std::int64_t>(problem.members.size()));
    }
    problem.rank.resize(problem.lower.size());
    std::iota(problem.rank.begin(), problem.rank.end(), 0);
    if (rng.one_in(2)) std::shuffle(problem.rank.begin(), problem.rank.end(), rng.source);
    return problem;
}

// Straight from the definition.
bool solves(const CountProblem& problem, unsigned chosen) {
    for (Index i = 0; i < problem.items(); ++i) {
        std::int64_t uses = 0;
        bool painted = false, same = true;
        Index color = -1;
        for (Index o = 0; o < problem.options(); ++o)
            for (std::int64_t k = problem.first[o]; k < problem.first[o + 1]; ++k)
                if (problem.members[k] == i && (chosen >> o & 1) != 0) {
                    ++uses;
                    painted = painted || problem.colors[k] > 0;
                    same = same && (color < 0 || color == problem.colors[k]);
                    color = problem.colors[k];
                }
        if (painted ? !same : uses < problem.lower[i] || uses > problem.upper[i]) return false;
    }
    return true;
}

std::uint64_t as_number(const std::vector<Limb>& limbs) {
    std::uint64_t number = 0;
    for (std::size_t k = 0; k < limbs.size(); ++k) {
        demand(k < 2 || limbs[k] == 0, "a number that is too large");
        if (k < 2) number |= std::uint64_t{limbs[k]} << 32 * k;
    }
    return number;
}

std::uint64_t by_memo(const CountProblem& problem, bool prune) {
    Counter counter(problem, false, 1'000'000, std::uint64_t{1} << 30, prune);
    while (counter.run(1) == Counter::Status::running) {
    }
    return as_number(counter.total());
}

std::unique_ptr<FrontCounter> random_front(const CountProblem& problem,
                                           const std::vector<bool>& supplied,
                                           const std::string& directory, Rng& rng,
                                           bool keep = false) {
    const std::uint64_t room = rng.one_in(3) ? 0 : rng.one_in(2) ? 100 : 1 << 30;
    return std::make_unique<FrontCounter>(
        problem, supplied,
        FrontLimits{1'000'000, std::uint64_t{1} << 30, room, rng.number(1, 3), directory, keep});
}

// Stopped after each step, and now and then gone on with by another counter.
std::uint64_t by_front(const CountProblem& problem, const std::vector<bool>& supplied,
                       const std::string& directory, Rng& rng) {
    using Status = FrontCounter::Status;
    auto counter = random_front(problem, supplied, directory, rng);
    const bool hasty = rng.one_in(2), restless = rng.one_in(3);
    const std::string file = directory + "/state";
    while (counter->run(hasty ? 0 : 1) <= Status::counting) {
        if (!restless || counter->status() != Status::counting) continue;
        counter->save(file, "tag");
        auto other = random_front(problem, supplied, directory, rng);
        while (other->build(1) == Status::building) {
        }
        other->load(file, "tag");
        counter = std::move(other);
    }
    demand(counter->status() == Status::done, "a small problem is too large");
    return as_number(counter->total());
}

// With room for all states, so that nothing is left to chance.
std::uint64_t by_sampling(const CountProblem& problem, const std::vector<bool>& supplied,
                          const std::set<unsigned>& solutions, std::uint64_t expected, Rng& rng) {
    SampledOptions options{1'000'000, 1'000'000, 0, 1'000'000, true, true, true, true};
    options.merge = !rng.one_in(4);
    options.prune = rng.one_in(2);
    const auto plan = std::make_shared<const SampledPlan>(problem, supplied);
    for (int run = 0;; ++run) {
        SampledOptions few = options;  // whatever these find, if there is anything
        few.states = few.endings = 2;
        few.balance = rng.one_in(2);
        SampledRun thinned(plan, few, 1);
        while (!thinned.advance(1)) {
        }
        demand(expected > 0 || thinned.mantissa() == 0, "a solution where there is none");
        options.traced = rng.one_in(2);
        SampledRun sampled(plan, options, 1);
        while (!sampled.advance(rng.number(0, 1))) {
        }
        demand(!sampled.thinned(), "a level was thinned that had room");
        const Paths drawn = options.traced ? sampled.draw(5, 1) : Paths();
        std::size_t at = 0;
        for (std::size_t k = 0; k < drawn.ends.size() && problem.options() <= kMostTried; ++k) {
            unsigned chosen = 0;
            for (; at < drawn.ends[k]; ++at) chosen |= 1U << drawn.moves[at];
            demand(solutions.contains(chosen), "what was drawn is no solution");
        }
        // The second run has the memory of the first one, and merges few states at a time.
        if (run == 1)
            return static_cast<std::uint64_t>(
                std::round(std::ldexp(sampled.mantissa(), sampled.exponent())));
        if (sampled.made() < 1000) options.most = 10;
    }
}

// Each instruction set finds the first mask that has no bit in common with a state.
void check_free_masks(Rng& rng) {
    struct alignas(64) Eight {
        std::uint64_t words[8];
    };
    const auto words = static_cast<std::size_t>(rng.number(1, 4));
    const auto groups = static_cast<std::size_t>(rng.number(0, 4));
    std::vector<Eight> masks(groups * words);
    for (Eight& eight : masks)
        for (std::uint64_t& word : eight.words) word = rng.source() & rng.source();
    std::vector<std::uint64_t> state(words);
    for (std::uint64_t& word : state)
        word = rng.source() & rng.source() & (rng.one_in(2) ? rng.source() : std::uint64_t{15});
    std::size_t expected = 0;
    for (; expected < 8 * groups; ++expected) {
        std::uint64_t common = 0;
        for (std::size_t w = 0; w < words; ++w)
            common |= masks[expected / 8 * words + w].words[expected % 8] & state[w];
        if (common == 0) break;
    }
    const std::uint64_t* const first = groups == 0 ? nullptr : masks[0].words;
    for (const std::string& isa : instruction_sets())
        demand(free_mask(words, isa)(first, groups, state.data()) == expected,
               "wrong mask: " + isa);
}

void check_equal_rows(Rng& rng) {
    const auto words = static_cast<std::size_t>(rng.number(1, 5));
    const auto count = static_cast<std::size_t>(rng.number(0, rng.one_in(20) ? 20'000 : 50));
    const int most = rng.one_in(2) ? 3 : 50;
    std::vector<std::uint64_t> rows(words * count);
    for (auto& word : rows) word = static_cast<std::uint64_t>(rng.number(0, most));
    EqualRows equal(count > 1000 ? rng.number(45, 64) : rng.number(1, 64));
    for (int turn = 0; turn < 2; ++turn) {
        const std::uint32_t* const first = equal.find(rows.data(), words, count);
        std::map<std::vector<std::uint64_t>, std::size_t> seen;
        for (std::size_t k = 0; k < count; ++k) {
            const auto* const row = rows.data() + k * words;
            demand(first[k] == seen.try_emplace({row, row + words}, k).first->second,
                   "a wrong equal row");
        }
    }
}

// All solutions by number, and the sums of what they contain.
void check_solutions(const CountProblem& problem, const std::vector<bool>& supplied,
                     const std::set<unsigned>& expected, const std::string& directory, Rng& rng) {
    const auto counter = random_front(problem, supplied, directory, rng, true);
    while (counter->run(rng.number(0, 1)) <= FrontCounter::Status::counting) {
    }
    demand(as_number(counter->total()) == expected.size(), "the front that keeps lists is wrong");
    std::set<unsigned> found;
    std::vector<std::uint64_t> tallies(problem.first.size() - 1);
    for (Limb number = 0; number < expected.size(); ++number) {
        unsigned chosen = 0;
        for (const Index option : counter->unrank(&number)) {
            chosen |= 1U << option;
            ++tallies[option];
        }
        found.insert(chosen);
    }
    demand(found == expected, "wrong solutions by number");
    while (!counter->tally(rng.number(0, 1))) {
    }
    for (std::size_t o = 0; o < tallies.size(); ++o) {
        const Limbs sum = o < counter->tallies().size() ? counter->tallies()[o] : Limbs{nullptr, 0};
        demand(as_number({sum.at, sum.at + sum.size}) == tallies[o], "a wrong frequency");
    }
}

// The number of solutions, and all of them if the options are few.
std::uint64_t check_memo(const CountProblem& problem, std::set<unsigned>& solutions) {
    const std::uint64_t expected = by_memo(problem, true);
    demand(by_memo(problem, false) == expected, "states without a future matter");
    if (problem.options() <= kMostTried) {
        for (unsigned chosen = 0; chosen < 1U << problem.options(); ++chosen)
            if (solves(problem, chosen)) solutions.insert(chosen);
        demand(solutions.size() == expected, "the memo is wrong");
    }
    return expected;
}

void check_wide(Rng& rng) {
    const CountProblem problem = random_problem(rng, true);
    std::set<unsigned> solutions;
    const std::uint64_t expected = check_memo(problem, solutions);
    const std::vector<bool> supplied(problem.lower.size());
    demand(by_sampling(problem, supplied, solutions, expected, rng) == expected,
           "the sample of wide states is wrong");
}

void check_valid(Rng& rng, const std::string& directory) {
    const CountProblem problem = random_problem(rng);
    std::set<unsigned> solutions;
    const std::uint64_t expected = check_memo(problem, solutions);
    for (int turn = 0; turn < 3; ++turn) {
        std::vector<bool> supplied(problem.lower.size());
        for (std::size_t i = 0; i < supplied.size(); ++i) {
            bool painted = false;
            for (std::size_t k = 0; k < problem.members.size(); ++k)
                painted = painted ||
                          (problem.members[k] == static_cast<Index>(i) && problem.colors[k] > 0);
            supplied[i] = !painted && rng.one_in(turn + 1);
        }
        demand(by_front(problem, supplied, directory, rng) == expected, "the front is wrong");
        demand(by_sampling(problem, supplied, solutions, expected, rng) == expected,
               "the sample is wrong");
        if (problem.options() <= kMostTried)
            check_solutions(problem, supplied, solutions, directory, rng);
    }
}

// Returns whether it was refused.
bool check_malformed(Rng& rng, const std::string& directory) {
    CountProblem problem = random_problem(rng);
    const auto spoil = [&](auto& values) {
        if (values.empty()) return;
        const auto at =
            static_cast<std::size_t>(rng.number(0, static_cast<int>(values.size()) - 1));
        if (rng.one_in(4))
            values.pop_back();
        else
            values[at] = rng.one_in(2) ? rng.number(-2, 20) : std::numeric_limits<int>::max();
    };
    std::vector<bool> supplied(problem.lower.size());
    for (std::size_t i = 0; i < supplied.size(); ++i) supplied[i] = rng.one_in(2);
    if (rng.one_in(3)) spoil(problem.lower);
    if (rng.one_in(2)) spoil(problem.upper);
    if (rng.one_in(2)) spoil(problem.first);
    if (rng.one_in(2)) spoil(problem.members);
    if (rng.one_in(2)) spoil(problem.colors);
    if (rng.one_in(4)) spoil(problem.rank);
    try {
        auto counter = random_front(problem, supplied, directory, rng);
        while (counter->run(1) <= FrontCounter::Status::counting) {
        }
    } catch (const std::invalid_argument&) {
        return true;
    }
    return false;
}

}  // namespace

int main(int argc, char** argv) {
    if (argc < 2) {
        std::fprintf(stderr, "usage: fuzz_count SECONDS [FIRST SEED] [LAST SEED]\n");
        return 2;
    }
    using Clock = std::chrono::steady_clock;
    const auto end = Clock::now() + std::chrono::duration<double>(std::atof(argv[1]));
    const long first = argc > 2 ? std::atol(argv[2]) : 0;
    const long last = argc > 3 ? std::atol(argv[3]) : std::numeric_limits<long>::max();
    std::string directory = (std::filesystem::temp_directory_path() / "fuzz-XXXXXX").string();
    if (::mkdtemp(directory.data()) == nullptr) return 1;
    long refused = 0, seed = first;
    int code = 0;
    for (; code == 0 && seed <= last && Clock::now() < end; ++seed) {
        Rng rng{std::mt19937_64(static_cast<std::uint64_t>(seed))};
        try {
            check_valid(rng, directory);
            check_wide(rng);
            check_equal_rows(rng);
            check_free_masks(rng);
            refused += check_malformed(rng, directory);
        } catch (const std::exception& error) {
            std::fprintf(stderr, "seed %ld: %s\n", seed, error.what());
            code = 1;
        }
    }
    std::filesystem::remove_all(directory);
    if (code == 0)
        std::printf("seeds %ld to %ld; refused: %ld problems\n", first, seed - 1, refused);
    return code;
}
