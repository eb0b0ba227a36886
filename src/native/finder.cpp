#include "finder.hpp"

#include <algorithm>
#include <numeric>
#include <stdexcept>
#include <utility>

#include "excerpt.hpp"

namespace exactile {

namespace {

constexpr int kStarts = 7;          // beams for a tiling, each of which stops earlier
constexpr double kLate = 2;         // times its stop, after which a dying beam counts as late
constexpr std::size_t kFilled = 3;  // survivors that are filled up
constexpr std::uint64_t kRestNodes = 10000;

void solved(Ground& ground, std::vector<Index> options, Attempt& attempt) {
    if (!ground.solves(options)) throw std::logic_error("what was found is not a solution");
    std::sort(options.begin(), options.end());
    ground.offer(options);
    attempt.solution = std::move(options);
}

}  // namespace

Attempt restart(Ground& ground, const std::vector<Index>& order, Nearness near, std::uint64_t nodes,
                std::uint64_t seed) {
    std::vector<Index> sorted(order);
    std::sort(sorted.begin(), sorted.end());
    std::vector<Index> all(ground.cover().lower.size());
    std::iota(all.begin(), all.end(), 0);
    if (sorted != all) throw std::invalid_argument("the order is not one of all items");
    Dice dice(seed);
    std::vector<Index> options(ground.problem.options());
    std::iota(options.begin(), options.end(), 0);
    dice.shuffle(options);
    Excerpt excerpt(ground.cover());
    excerpt.begin(order);
    for (const Index option : options) excerpt.add(option);
    Tuning tuning;
    tuning.near = near;
    Attempt attempt;
    attempt.nodes = nodes;
    const auto found = excerpt.search(tuning, 1, attempt.nodes, ground.stop);
    attempt.exhausted = found.empty() && excerpt.exhausted();
    attempt.endgame_work = excerpt.work();
    if (!found.empty()) solved(ground, found[0], attempt);
    return attempt;
}

Attempt beam(Ground& ground, const std::vector<Index>& order, const BeamSetting& setting,
             std::uint64_t nodes, std::uint64_t seed) {
    ground.check_order(order);
    Dice dice(seed);
    Attempt attempt;
    std::vector<Survivor> survivors;
    {
        Beam sweep(ground, order, setting, dice);
        survivors = sweep.run();
        attempt.beam_work = sweep.work();
    }
    if (!survivors.empty()) ground.offer(survivors[0].chosen);
    Excerpt excerpt(ground.cover());
    for (Survivor& survivor : survivors) {
        if (ground.stop.load(std::memory_order_relaxed)) break;
        dice.shuffle(survivor.live);
        excerpt.begin({});
        for (const Index option : survivor.live) excerpt.add(option);
        excerpt.bound_all(survivor.used);
        std::uint64_t visited = nodes;
        const auto found = excerpt.search({}, 1, visited, ground.stop);
        attempt.nodes += visited;
        attempt.endgame_work += excerpt.work();
        ++attempt.endgames;
        attempt.cut_short += !excerpt.exhausted();
        if (found.empty()) continue;
        std::vector<Index> options(survivor.chosen);
        options.insert(options.end(), found[0].begin(), found[0].end());
        solved(ground, std::move(options), attempt);
        break;
    }
    return attempt;
}

// Begin with a tiling, if one is easily found.
static bool begin(Ground& ground, const std::vector<Index>& order, const RepairSetting& setting,
                  Dice& dice, Repair& repair, Attempt& attempt) {
    BeamSetting sweep{.width = setting.width, .rest = setting.rest, .lenient = true};
    for (int start = 0; start < kStarts; ++start, sweep.rest += setting.rest / 4) {
        std::vector<Survivor> survivors;
        {
            Beam beam(ground, order, sweep, dice);
            survivors = beam.run();
            attempt.beam_work += beam.work();
            if (survivors.empty() && beam.open() > kLate * setting.rest) return false;
            sweep.rest = std::max(sweep.rest, survivors.empty() ? beam.open() : 0);
        }
        if (!survivors.empty()) ground.offer(survivors[0].chosen);
        for (std::size_t s = 0; s < std::min(survivors.size(), kFilled); ++s)
            if (repair.fill(survivors[s].chosen)) return true;
    }
    return false;
}

// Choose what a tiling without fault leaves open: pieces that are left out, for instance.
static void complete(Ground& ground, const Tiling& tiling, Attempt& attempt) {
    Excerpt excerpt(ground.cover());
    excerpt.begin({});
    std::vector<Index> options(tiling.options()), used(ground.cover().lower.size());
    for (Index item = 0; item < ground.cover().items(); ++item) used[item] = tiling.used(item);
    for (Index option = 0; option < ground.cover().options(); ++option) {
        bool room = tiling.fits(option);
        for (const Index item : ground.members(option))
            room &= !ground.is_piece(item) || used[item] < ground.cover().upper[item];
        if (room && std::find(options.begin(), options.end(), option) == options.end())
            excerpt.add(option);
    }
    excerpt.bound_all(used);
    std::uint64_t nodes = kRestNodes;
    for (const std::vector<Index>& rest : excerpt.search({}, 1, nodes, ground.stop))
        options.insert(options.end(), rest.begin(), rest.end());
    if (ground.solves(options)) solved(ground, std::move(options), attempt);
}

Attempt repair(Ground& ground, const std::vector<Index>& order, const RepairSetting& setting,
               std::uint64_t seed) {
    ground.check_order(order);
    Dice dice(seed);
    Attempt attempt;
    Repair repair(ground, dice);
    if (!repair.applies()) return attempt;
    const bool begun = begin(ground, order, setting, dice, repair, attempt);
    if (begun) repair.walk(setting.walk, setting.moves, setting.patience);
    attempt.nodes = repair.nodes();
    attempt.endgame_work = repair.work();
    attempt.moves = repair.moves();
    if (begun) attempt.cost = repair.tiling().cost();
    if (attempt.cost == 0) complete(ground, repair.tiling(), attempt);
    return attempt;
}

}  // namespace exactile
