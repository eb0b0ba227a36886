// Random input for the native entry points, to be built with sanitizers.
//
//     fuzz SECONDS [FIRST SEED] [LAST SEED]
//
// Valid problems: every way to search, stopped, resumed and handed over at random, must visit the
// same nodes and find the same solutions; each is checked, and all sets of options are tried where
// they are few. Malformed input must end in an exception. A failure names its seed.

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <iterator>
#include <limits>
#include <map>
#include <random>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "engine.hpp"
#include "finder.hpp"
#include "grow.hpp"
#include "similar.hpp"

using namespace exactile;

namespace {

constexpr std::int64_t kAll = std::numeric_limits<std::int64_t>::max();
constexpr std::int64_t kMostTried = 12;     // so many options are tried in all sets
constexpr std::uint64_t kMostNodes = 2000;  // larger trees are cut down

struct Rng {
    std::mt19937_64 source;
    // A number in [low, high].
    int number(int low, int high) { return std::uniform_int_distribution<int>(low, high)(source); }
    bool one_in(int n) { return number(1, n) == 1; }
    template <typename T>
    const T& of(const std::vector<T>& values) {
        return values[static_cast<std::size_t>(number(0, static_cast<int>(values.size()) - 1))];
    }
};

void demand(bool holds, const std::string& what) {
    if (!holds) throw std::logic_error(what);
}

// --- valid problems

void add_option(Cover& cover, std::vector<Index> items, Rng& rng, int palette) {
    for (const Index item : items) {
        const bool paintable = cover.lower[item] == 0 && cover.upper[item] == 1;
        cover.members.push_back(item);
        cover.colors.push_back(paintable && palette > 0 ? rng.number(0, palette) : 0);
    }
    cover.first.push_back(static_cast<std::int64_t>(cover.members.size()));
}

// Some options that cover all items once, so that there are often solutions, and random ones.
Cover random_cover(Rng& rng, int items, int options, int largest) {
    Cover cover;
    const int loose = rng.of<int>({0, 0, 3, 10, 30});  // percent of items with other bounds
    const int secondary = rng.of<int>({0, 10, 50});
    const int palette = rng.of<int>({0, 0, 1, 3});
    for (int i = 0; i < items; ++i) {
        int low = rng.number(1, 100) <= secondary ? 0 : 1, high = 1;
        if (rng.number(1, 100) <= loose) {
            low = rng.of<int>({0, 0, 1, 2, 3});
            high = low + rng.of<int>({0, 0, 1, 2, 5, std::numeric_limits<int>::max() - 10});
        }
        cover.lower.push_back(low);
        cover.upper.push_back(high);
    }
    cover.first = {0};
    std::vector<Index> order(static_cast<std::size_t>(items));
    for (int i = 0; i < items; ++i) order[static_cast<std::size_t>(i)] = i;
    std::size_t planted = rng.one_in(4) ? order.size() : 0;
    std::shuffle(order.begin(), order.end(), rng.source);
    while (cover.options() < options && items > 0) {
        const auto size = static_cast<std::size_t>(rng.number(1, std::min(items, largest)));
        if (planted < order.size()) {
            const std::size_t end = std::min(planted + size, order.size());
            add_option(cover,
                       {order.begin() + static_cast<std::ptrdiff_t>(planted),
                        order.begin() + static_cast<std::ptrdiff_t>(end)},
                       rng, palette);
            planted = end;
            continue;
        }
        std::vector<Index> chosen;
        std::sample(order.begin(), order.end(), std::back_inserter(chosen), size, rng.source);
        std::shuffle(chosen.begin(), chosen.end(), rng.source);
        add_option(cover, chosen, rng, palette);
    }
    return cover;
}

Cover random_cover(Rng& rng) {
    switch (rng.number(0, 4)) {
        case 0:
        case 1:
            return random_cover(rng, rng.number(0, 8), rng.number(0, kMostTried), 4);
        case 2:
            return random_cover(rng, rng.number(1, 40), rng.number(0, 150), 5);
        case 3:  // more options than the endgame takes at the root
            return random_cover(rng, rng.number(5, 70), rng.number(480, 700), rng.number(3, 9));
        default:  // more open items than fit a word, or than the endgame takes
            return random_cover(rng, rng.number(60, 400), rng.number(200, 700), rng.number(2, 6));
    }
}

// Whether some options are a solution, from the definition.
bool is_solution(const Cover& cover, const std::vector<Index>& options) {
    std::map<Index, std::vector<Index>> colors;
    for (const Index o : options)
        for (std::int64_t k = cover.first[o]; k < cover.first[o + 1]; ++k)
            colors[cover.members[k]].push_back(cover.colors[k]);
    for (Index i = 0; i < cover.items(); ++i) {
        const std::vector<Index>& given = colors[i];
        const bool same = !given.empty() && given[0] > 0 &&
                          std::count(given.begin(), given.end(), given[0]) ==
                              static_cast<std::ptrdiff_t>(given.size());
        const auto uses = static_cast<Index>(given.size());
        if (uses < cover.lower[i] || (uses > cover.upper[i] && !same)) return false;
    }
    return true;
}

std::size_t tried(const Cover& cover) {
    std::size_t count = 0;
    for (int set = 0; set < 1 << cover.options(); ++set) {
        std::vector<Index> options;
        for (Index o = 0; o < cover.options(); ++o)
            if (set >> o & 1) options.push_back(o);
        count += is_solution(cover, options);
    }
    return count;
}

Tuning random_way(Rng& rng) {
    static const std::vector<std::string> sets = instruction_sets();
    Tuning tuning;
    tuning.method = rng.one_in(2) ? Method::kBits : Method::kSparse;
    tuning.endgame = !rng.one_in(3);
    tuning.isa = rng.of(sets);
    return tuning;
}

using Solutions = std::vector<std::vector<Index>>;

void take(Engine& engine, Solutions& found, std::int64_t limit = kAll) {
    const Paths paths = engine.take(limit);
    std::size_t begin = 0;
    for (const std::size_t end : paths.ends) {
        found.emplace_back(paths.moves.begin() + static_cast<std::ptrdiff_t>(begin),
                           paths.moves.begin() + static_cast<std::ptrdiff_t>(end));
        begin = end;
    }
}

// A prefix below which there are not too many nodes, and what is there.
struct Part {
    Prefix prefix;
    Solutions solutions;
    std::uint64_t nodes = 0;
};

Part small_part(const Cover& cover, Rng& rng) {
    Part part;
    Engine whole(cover, random_way(rng));
    Engine node(cover, random_way(rng));
    for (;;) {
        const std::uint64_t before = whole.nodes();
        whole.set_prefixes({part.prefix});
        whole.run({.nodes = kMostNodes});
        part.solutions.clear();
        take(whole, part.solutions);
        part.nodes = whole.nodes() - before;
        if (whole.exhausted()) return part;
        node.set_prefixes({part.prefix});
        node.run({.nodes = 1});
        const std::vector<Prefix> below = node.prefixes();
        demand(!below.empty(), "a large tree without branches");
        part.prefix = rng.of(below);
    }
}

Limits random_limits(Rng& rng, int most_workers) {
    Limits limits;
    if (rng.one_in(2)) limits.solutions = rng.of<int>({1, 2, 10, 300});
    if (rng.one_in(2)) limits.nodes = static_cast<std::uint64_t>(rng.of<int>({0, 1, 7, 100, 3000}));
    if (rng.one_in(3)) limits.seconds = rng.of<double>({0, 1e-5, 1e-3});
    limits.workers = rng.number(1, most_workers);
    limits.ordered = rng.one_in(2);
    return limits;
}

// Search a part in many slices, by many kernels, and compare.
void check_sliced(const Cover& cover, const Part& part, Rng& rng) {
    Solutions found;
    std::uint64_t nodes = 0;
    std::vector<Prefix> rest = {part.prefix};
    const int most_workers = rng.of<int>({1, 1, 2, 4});
    bool ordered = true;
    while (!rest.empty()) {
        Engine engine(cover, random_way(rng));
        engine.set_prefixes(rest);
        for (bool again = true; again || (!engine.exhausted() && !rng.one_in(10));) {
            const Limits limits = random_limits(rng, most_workers);
            engine.run(limits);
            take(engine, found, limits.solutions);
            ordered &= limits.ordered || most_workers == 1;
            again = limits.ordered && !engine.exhausted();
        }
        take(engine, found);
        demand(engine.remaining() <= part.prefix.weight * (1 + 1e-9), "weights grow");
        nodes += engine.nodes();
        rest = engine.prefixes();
    }
    demand(nodes == part.nodes, "nodes differ");
    demand(!ordered || found == part.solutions, "the order differs");
    Solutions expected = part.solutions;
    std::sort(found.begin(), found.end());
    std::sort(expected.begin(), expected.end());
    demand(found == expected, "solutions differ");
}

void check_counted(const Cover& cover, const Part& part, Rng& rng) {
    Engine engine(cover, random_way(rng));
    engine.set_prefixes({part.prefix});
    std::thread reader;
    if (rng.one_in(4))
        reader = std::thread([&] { demand(engine.prefixes().size() <= 1, "a view of a run"); });
    engine.run({.workers = rng.number(1, 3), .keep = false});
    if (reader.joinable()) reader.join();
    demand(engine.exhausted() && engine.remaining() == 0, "something is left");
    demand(engine.nodes() == part.nodes, "nodes differ when counting");
    demand(engine.count() == static_cast<std::int64_t>(part.solutions.size()), "counts differ");
}

// With another choice of items the tree is another, but the solutions are the same.
void check_near(const Cover& cover, const Part& part, Rng& rng) {
    Tuning tuning = random_way(rng);
    tuning.near = {rng.of<Index>({2, 3, 8, 1 << 30}), rng.of<Index>({0, 0, 3, 20})};
    Engine engine(cover, tuning);
    engine.set_prefixes({part.prefix});
    engine.run({.nodes = 20 * kMostNodes});
    if (!engine.exhausted() && engine.nodes() >= 20 * kMostNodes) return;
    Solutions found, expected = part.solutions;
    take(engine, found);
    std::sort(found.begin(), found.end());
    std::sort(expected.begin(), expected.end());
    demand(found == expected, "solutions differ with near-minimal counts");
}

// --- searches for one solution

// Some pieces, and neighbors in both directions.
struct Surroundings {
    std::vector<std::uint8_t> piece;
    std::vector<std::int64_t> first{0};
    std::vector<Index> others;
};

Surroundings random_surroundings(const Cover& cover, Rng& rng) {
    Surroundings result;
    const int pieces = rng.of<int>({0, 20, 50});
    for (Index i = 0; i < cover.items(); ++i) {
        result.piece.push_back(rng.number(1, 100) <= pieces);
        for (int k = rng.number(0, 4); k > 0; --k)
            result.others.push_back(rng.number(0, cover.items() - 1));
        result.first.push_back(static_cast<std::int64_t>(result.others.size()));
    }
    return result;
}

Attempt random_attempt(Ground& ground, Rng& rng) {
    const auto seed = static_cast<std::uint64_t>(rng.number(0, 1000));
    std::vector<Index> order(ground.units());
    std::shuffle(order.begin(), order.end(), rng.source);
    const double rest = rng.number(0, static_cast<int>(order.size()));
    switch (rng.number(0, 2)) {
        case 0: {
            std::vector<Index> items(ground.cover().lower.size());
            for (std::size_t i = 0; i < items.size(); ++i) items[i] = static_cast<Index>(i);
            std::shuffle(items.begin(), items.end(), rng.source);
            return restart(ground, items, {rng.of<Index>({1, 8, 1 << 30}), rng.number(0, 9)},
                           kMostNodes, seed);
        }
        case 1:
            return beam(ground, order, {rng.number(0, 9), rng.number(0, 4), rest, false},
                        kMostNodes, seed);
        default: {
            const Walk walk{
                rng.number(0, 9) * 1.0, rng.number(0, 9) * 1.0,   300,
                rng.one_in(2),          rng.of<double>({0, 0.3}), rng.of<double>({0, 0.01, 10})};
            return repair(ground, order, {rng.number(1, 9), rest, walk, 30, 20}, seed);
        }
    }
}

// Attempts on one ground at the same time are the same as one after the other.
void check_together(Ground& ground, Rng& rng) {
    Rng one{std::mt19937_64(rng.source())}, other{std::mt19937_64(rng.source())};
    Rng one_again = one, other_again = other;
    Attempt first, second;
    std::thread thread([&] { first = random_attempt(ground, one); });
    second = random_attempt(ground, other);
    ground.best();
    thread.join();
    const Attempt expected = random_attempt(ground, one_again);
    demand(first.solution == expected.solution && first.nodes == expected.nodes,
           "an attempt depends on what another thread does");
    demand(second.nodes == random_attempt(ground, other_again).nodes,
           "an attempt depends on what another thread does");
}

void check_first(const Cover& cover, const Part& part, Rng& rng) {
    const Surroundings around = random_surroundings(cover, rng);
    Ground ground(cover, around.piece, around.first, around.others);
    if (rng.one_in(3)) check_together(ground, rng);
    if (rng.one_in(20)) ground.stop = true;
    for (int turn = 0; turn < 3; ++turn) {
        const Rng before = rng;
        const Attempt attempt = random_attempt(ground, rng);
        if (!attempt.solution.empty())
            demand(is_solution(cover, attempt.solution), "a wrong first solution");
        if (attempt.exhausted && part.prefix.path.empty())
            demand(part.solutions.empty(), "a solution was overlooked");
        Rng again = before;
        demand(random_attempt(ground, again).solution == attempt.solution, "not repeatable");
    }
    std::vector<Index> color(cover.lower.size(), 0), used(color);
    for (const Index o : ground.best().options)
        for (std::int64_t k = cover.first[o]; k < cover.first[o + 1]; ++k) {
            const Index i = cover.members[k];
            demand(used[i] < cover.upper[i] || (cover.colors[k] > 0 && cover.colors[k] == color[i]),
                   "a packing uses an item too often");
            ++used[i];
            color[i] = cover.colors[k];
        }
}

void check_valid(Rng& rng) {
    const Cover cover = random_cover(rng);
    const Part part = small_part(cover, rng);
    for (const std::vector<Index>& solution : part.solutions)
        demand(is_solution(cover, solution), "a wrong solution");
    if (cover.options() <= kMostTried && part.prefix.path.empty())
        demand(part.solutions.size() == tried(cover), "not all solutions");
    for (int turn = 0; turn < 4; ++turn) check_counted(cover, part, rng);
    for (int turn = 0; turn < 2; ++turn) check_sliced(cover, part, rng);
    check_near(cover, part, rng);
    check_first(cover, part, rng);
}

// --- malformed input

template <typename T>
void spoil(std::vector<T>& values, Rng& rng) {
    const T extreme = rng.one_in(2) ? std::numeric_limits<T>::min() : std::numeric_limits<T>::max();
    const auto some = static_cast<T>(rng.number(-3, 1000));
    switch (rng.number(0, 4)) {
        case 0:
            values.resize(static_cast<std::size_t>(rng.number(0, 20)));
            break;
        case 1:
            values.push_back(some);
            break;
        case 2:
            std::shuffle(values.begin(), values.end(), rng.source);
            break;
        default:
            if (!values.empty())
                values[static_cast<std::size_t>(rng.number(
                    0, static_cast<int>(values.size()) - 1))] = rng.one_in(2) ? extreme : some;
    }
}

std::vector<Prefix> random_prefixes(Rng& rng, int options) {
    constexpr Index kLeast = std::numeric_limits<Index>::min();
    std::vector<Prefix> prefixes(static_cast<std::size_t>(rng.number(0, 4)));
    for (Prefix& prefix : prefixes) {
        prefix.weight = rng.of<double>({0, 1, -1, 1e300, std::numeric_limits<double>::quiet_NaN()});
        for (int length = rng.number(0, 6); length > 0; --length) {
            const Index wild = rng.of<Index>({-1, options, ~options, kLeast, ~kLeast});
            const Index option = rng.number(0, std::max(options - 1, 0));
            prefix.path.push_back(rng.one_in(8) ? wild : rng.one_in(2) ? option : ~option);
        }
    }
    return prefixes;
}

void search_anything(Cover cover, Rng& rng) {
    const int options = cover.options();
    Engine engine(std::move(cover), random_way(rng));
    for (int turn = 0; turn < 3; ++turn) {
        if (rng.one_in(2)) engine.set_prefixes(random_prefixes(rng, options));
        Limits limits = random_limits(rng, 3);
        limits.nodes = std::min<std::uint64_t>(limits.nodes, 200);
        if (rng.one_in(4)) limits.workers = rng.of<int>({0, -1, std::numeric_limits<int>::min()});
        if (rng.one_in(4)) limits.solutions = rng.of<std::int64_t>({0, -1, -kAll - 1});
        if (rng.one_in(4))
            limits.seconds =
                rng.of<double>({-1, -1e300, 1e300, std::numeric_limits<double>::infinity(),
                                -std::numeric_limits<double>::infinity(), std::nan("")});
        engine.run(limits);
        engine.take(limits.solutions);
        engine.take(kAll);
    }
}

// Returns whether it was refused.
bool check_malformed(Rng& rng) {
    Cover cover = random_cover(rng);
    for (int turn = rng.number(0, 2); turn > 0; --turn) switch (rng.number(0, 5)) {
            case 0:
                spoil(cover.lower, rng);
                break;
            case 1:
                spoil(cover.upper, rng);
                break;
            case 2:
                spoil(cover.members, rng);
                break;
            case 3:
                spoil(cover.colors, rng);
                break;
            default:
                spoil(cover.first, rng);
        }
    try {
        search_anything(std::move(cover), rng);
    } catch (const std::exception&) {
        return true;
    }
    return false;
}

// --- growth

int coordinate(Rng& rng) {
    constexpr int kMost = std::numeric_limits<int>::max();
    return rng.one_in(50) ? rng.of<int>({-kMost - 1, kMost, -kMost / 2, 1000, 100000})
                          : rng.number(-2, 2);
}

// Returns whether it was refused.
bool check_growth(Rng& rng) {
    GrowthLattice lattice;
    lattice.dimension = rng.one_in(20) ? rng.number(-1, 5) : rng.number(1, 3);
    lattice.period = rng.one_in(20) ? rng.of<int>({-1, 0, 1 << 16, 1 << 22}) : rng.number(1, 3);
    const int d = std::max(lattice.dimension, 1);
    int residues = 1;
    for (int k = 0; k < d; ++k) residues *= std::clamp(lattice.period, 1, 3);
    lattice.types.resize(static_cast<std::size_t>(rng.one_in(20) ? 0 : residues));
    for (int& type : lattice.types) type = rng.one_in(30) ? rng.number(-2, 3) : rng.number(0, 1);
    lattice.steps.resize(2);
    for (std::vector<int>& steps : lattice.steps) {
        steps.resize(static_cast<std::size_t>(d * rng.number(1, 5) + rng.one_in(50)));
        for (int& step : steps) step = coordinate(rng);
    }
    lattice.matrices.resize(static_cast<std::size_t>(d * d * rng.number(1, 4) + rng.one_in(50)));
    for (int& entry : lattice.matrices) entry = coordinate(rng);
    std::vector<std::int64_t> points(static_cast<std::size_t>(d * rng.number(0, 5)));
    for (std::int64_t& point : points)
        point = rng.one_in(100) ? std::numeric_limits<std::int64_t>::min() : coordinate(rng);
    try {
        Grower grower(lattice);
        const std::size_t order = points.size() / static_cast<std::size_t>(d);
        grower.extend(points.data(), order);
        demand(grower.forms().size() == grower.size() * (order + 1) * static_cast<std::size_t>(d),
               "forms of a wrong order");
    } catch (const std::logic_error& error) {
        if (std::string(error.what()) == "forms of a wrong order") throw;
        return true;
    }
    return false;
}

// --- what moves within solutions

// The units of some placements.
std::vector<std::int32_t> covered(const std::vector<std::int32_t>& owners,
                                  const std::vector<std::int32_t>& placements) {
    std::vector<std::int32_t> units;
    for (std::size_t u = 0; u < owners.size(); ++u)
        if (std::find(placements.begin(), placements.end(), owners[u]) != placements.end())
            units.push_back(static_cast<std::int32_t>(u));
    return units;
}

// Random solutions and maps, sometimes wrong ones; what is found must be what it claims to be.
bool check_similar(Rng& rng) {
    const int units = rng.number(1, 14), width = rng.number(1, 6);
    std::vector<std::int32_t> owners, pieces, images(static_cast<std::size_t>(units), -1);
    for (int u = 0; u < units; ++u) owners.push_back(rng.number(-1, width - 1));
    for (int p = 0; p < width; ++p) {
        const bool used = std::find(owners.begin(), owners.end(), p) != owners.end();
        pieces.push_back(used ? rng.number(0, 2) : -1);
    }
    std::vector<std::int32_t> targets(owners.size());
    for (int u = 0; u < units; ++u) targets[u] = u;
    std::shuffle(targets.begin(), targets.end(), rng.source);
    const bool involution = rng.one_in(2);
    for (int u = 0; u < units; ++u) {
        if (involution) {
            if (u % 2 == 1)
                images[targets[u]] = targets[u - 1], images[targets[u - 1]] = targets[u];
        } else if (!rng.one_in(4)) {
            images[u] = targets[u];
        }
    }
    if (rng.one_in(8)) spoil(owners, rng);
    if (rng.one_in(8)) spoil(images, rng);
    owners.resize(static_cast<std::size_t>(units), -1);  // the callee is told the lengths
    images.resize(static_cast<std::size_t>(units), -1);
    const std::uint8_t wanted = static_cast<std::uint8_t>(rng.number(0, 3));
    Moves moves;
    try {
        moves = find_moves({1, static_cast<std::size_t>(units), static_cast<std::size_t>(width), 1,
                            owners.data(), pieces.data(), images.data(), &wanted});
    } catch (const std::invalid_argument&) {
        return true;
    }
    for (std::size_t r = 0; r + 1 < moves.first.size(); ++r) {
        std::vector<std::int32_t> there, back;
        for (std::int64_t k = moves.first[r]; k < moves.first[r + 1]; ++k) {
            const std::int32_t p = moves.placements[k];
            (p < 0 ? back : there).push_back(p < 0 ? ~p : p);
        }
        // What fills nothing, because its units were spoiled, goes nowhere.
        demand(!there.empty() || covered(owners, back).empty(), "nothing moves");
        std::vector<std::int32_t> onto;
        for (const std::int32_t u : covered(owners, there)) onto.push_back(images[u]);
        std::sort(onto.begin(), onto.end());
        demand(onto == covered(owners, back.empty() ? there : back), "a union does not fit");
        for (const std::int32_t p : there)
            demand(std::find(back.begin(), back.end(), p) == back.end(), "a set overlaps another");
    }
    return false;
}

}  // namespace

int main(int argc, char** argv) {
    if (argc < 2) {
        std::fprintf(stderr, "usage: fuzz SECONDS [FIRST SEED] [LAST SEED]\n");
        return 2;
    }
    using Clock = std::chrono::steady_clock;
    const auto end = Clock::now() + std::chrono::duration<double>(std::atof(argv[1]));
    const long first = argc > 2 ? std::atol(argv[2]) : 0;
    const long last = argc > 3 ? std::atol(argv[3]) : std::numeric_limits<long>::max();
    long refused = 0, refused_growth = 0, refused_maps = 0, seed = first;
    for (; seed <= last && Clock::now() < end; ++seed) {
        Rng rng{std::mt19937_64(static_cast<std::uint64_t>(seed))};
        try {
            check_valid(rng);
            refused += check_malformed(rng);
            refused_growth += check_growth(rng);
            refused_maps += check_similar(rng);
        } catch (const std::exception& error) {
            std::fprintf(stderr, "seed %ld: %s\n", seed, error.what());
            return 1;
        }
    }
    std::printf("seeds %ld to %ld; refused: %ld problems, %ld lattices, %ld maps\n", first,
                seed - 1, refused, refused_growth, refused_maps);
    return 0;
}
