#include "tiling_isohedral.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <set>
#include <utility>

namespace exactile::tiling {

static std::size_t at(int i) { return static_cast<std::size_t>(i); }

// --- translates and half turns

// A tiling with this period by an aspect at 0 and another one somewhere, or by the first alone.
static bool covers(const Prototiles& prototiles, const Sublattice& period, int first, int second,
                   Periodic& found) {
    const int slots = prototiles.lattice().slots, types = prototiles.lattice().types;
    std::vector<char> covered(at(period.index() * slots));
    const auto put = [&](const Placement& p) {
        const Aspect& aspect = prototiles.aspect(p.aspect);
        for (const auto* units : {&aspect.units, &aspect.items})
            for (const Unit& unit : *units) {
                char& there = covered[at(period.number(unit.at + p.at) * slots + unit.type)];
                if (there) return false;
                there = 1;
            }
        return true;
    };
    found = {period, {{first, {}}}};
    if (!put(found.copies[0])) return false;
    if (second < 0) return is_tiling(prototiles, found);
    int open = 0;
    while (open % slots >= types || covered[at(open)]) ++open;
    const std::vector<char> before = covered;
    for (const Unit& unit : prototiles.aspect(second).units) {
        if (unit.type != open % slots) continue;
        const Placement other{second, period.reduced(period.place(open / slots) - unit.at)};
        covered = before;
        if (!put(other)) continue;
        found.copies.resize(1);
        found.copies.push_back(other);
        if (is_tiling(prototiles, found)) return true;
    }
    return false;
}

// Try all periods with a number of copies, and all pairs of aspects (a, partner(a)).
template <typename Partner>
static Outcome find_pairs(const Prototiles& prototiles, Sublattices& sublattices, int copies,
                          Partner partner, Periodic& found) {
    const int units = copies * prototiles.units_of(0);
    if (units % prototiles.lattice().types != 0) return Outcome::kRefuted;
    for (const Representative& each : sublattices.of_index(units / prototiles.lattice().types)) {
        std::vector<char> done(at(prototiles.aspect_count()));
        for (int a = 0; a < prototiles.aspect_count(); ++a) {
            if (done[at(a)]) continue;
            if (covers(prototiles, each.period, a, partner(a), found)) return Outcome::kFound;
            for (const int turn : each.keep) done[at(prototiles.turned(turn, {a, {}}).aspect)] = 1;
        }
    }
    return Outcome::kRefuted;
}

Outcome find_translates(const Prototiles& prototiles, Sublattices& sublattices, Periodic& found) {
    return find_pairs(prototiles, sublattices, 1, [](int) { return -1; }, found);
}

Outcome find_half_turns(const Prototiles& prototiles, Sublattices& sublattices, Periodic& found) {
    const Lattice& lattice = prototiles.lattice();
    const auto is_half = [&](int turn) {
        for (int i = 0; i < lattice.dimension; ++i) {
            Vec unit{};
            unit[i] = 1;
            if (lattice.turned(turn, unit) != Vec{} - unit) return false;
        }
        return true;
    };
    int half = 0;
    while (half < lattice.turn_count() && !is_half(half)) ++half;
    if (lattice.dimension != 2 || half == lattice.turn_count()) return Outcome::kRefuted;
    const auto partner = [&](int a) { return prototiles.turned(half, {a, {}}).aspect; };
    if (partner(0) == 0) return find_translates(prototiles, sublattices, found);
    return find_pairs(prototiles, sublattices, 2, partner, found);
}

// --- isohedral tilings

Isohedral::Isohedral(const Prototiles& prototiles, const std::vector<char>& excluded)
    : prototiles_(&prototiles),
      lattice_(&prototiles.lattice()),
      stabilizer_(prototiles.stabilizer(0)) {
    const int root = prototiles.root(0);
    const auto& neighbors = prototiles.neighbors(root);
    const Units& halo = prototiles.aspect(root).halo;
    covering_.resize(halo.size());
    for (int k = 0; k < static_cast<int>(neighbors.size()); ++k) {
        const Placement& p = neighbors[at(k)];
        const bool usable =
            excluded.empty() || (!excluded[at(prototiles.class_of(root, k))] &&
                                 !excluded[at(prototiles.opposite(prototiles.class_of(root, k)))]);
        for (const Motion& keep : stabilizer_) {
            candidates_.push_back(lattice_->composed(prototiles.motion_to(p), keep));
            usable_.push_back(usable ? State::kUnknown : State::kOut);
        }
        covers_.emplace_back();
        for (const Unit& unit : prototiles.aspect(p.aspect).units) {
            const auto found = std::ranges::lower_bound(halo, Unit{unit.at + p.at, unit.type});
            if (found == halo.end() || *found != Unit{unit.at + p.at, unit.type}) continue;
            covers_.back().push_back(static_cast<int>(found - halo.begin()));
            covering_[at(covers_.back().back())].push_back(k);
        }
    }
}

// All groups of motions that take the prototile to itself, the smallest first.
static std::vector<std::vector<Motion>> subgroups(const Lattice& lattice,
                                                  const std::vector<Motion>& motions) {
    const auto generated = [&](std::set<Motion> group) {
        for (bool grown = true; grown;) {
            grown = false;
            const std::set<Motion> before = group;
            for (const Motion& a : before)
                for (const Motion& b : before) grown |= group.insert(lattice.composed(a, b)).second;
        }
        return group;
    };
    std::set<std::set<Motion>> found = {generated({motions.front()})};
    for (bool grown = true; grown;) {
        grown = false;
        const auto before = found;
        for (const auto& group : before)
            for (const Motion& motion : motions) {
                std::set<Motion> larger = group;
                if (larger.insert(motion).second) grown |= found.insert(generated(larger)).second;
            }
    }
    std::vector<std::vector<Motion>> result;
    for (const auto& group : found) result.emplace_back(group.begin(), group.end());
    std::ranges::stable_sort(result, {}, &std::vector<Motion>::size);
    return result;
}

Outcome Isohedral::search(std::int64_t nodes) {
    last_node_ = nodes_ + nodes;
    Outcome result = Outcome::kRefuted;
    for (const auto& group : subgroups(*lattice_, stabilizer_)) {
        const Outcome outcome = search_with(group);
        if (outcome == Outcome::kFound) return outcome;
        if (outcome == Outcome::kOpen) result = outcome;
    }
    return result;
}

Outcome Isohedral::search_with(const std::vector<Motion>& kept) {
    kept_ = kept;
    state_ = usable_;
    chosen_.clear();
    // What leads to a contradiction by itself is out.
    for (int c = 0; c < static_cast<int>(candidates_.size()); ++c) {
        if (state_[at(c)] == State::kOut) continue;
        const std::vector<State> before = state_;
        const bool fine = add(c);
        state_ = before;
        chosen_.clear();
        if (!fine) state_[at(c)] = State::kOut;
    }
    return descend();
}

int Isohedral::find(const Motion& motion, int neighbor) const {
    const int begin = neighbor * static_cast<int>(stabilizer_.size());
    for (int c = begin; c < begin + static_cast<int>(stabilizer_.size()); ++c)
        if (candidates_[at(c)] == motion) return c;
    return -1;
}

// A motion of the tiling: it takes the tile to itself, to a neighbor, or away.
bool Isohedral::close(const Motion& motion, std::vector<int>& waiting) {
    const Placement image = prototiles_->moved(motion, {prototiles_->root(0), {}});
    const int neighbor = prototiles_->neighbor_index(0, image);
    if (neighbor == Prototiles::kApart) return true;
    if (neighbor == Prototiles::kOverlap) return std::ranges::find(kept_, motion) != kept_.end();
    const int c = find(motion, neighbor);
    if (c < 0 || state_[at(c)] == State::kOut) return false;
    if (state_[at(c)] == State::kUnknown) {
        state_[at(c)] = State::kIn;
        waiting.push_back(c);
    }
    return true;
}

bool Isohedral::add(int candidate) {
    if (state_[at(candidate)] == State::kOut) return false;
    std::vector<int> waiting;
    if (state_[at(candidate)] == State::kUnknown) {
        state_[at(candidate)] = State::kIn;
        waiting.push_back(candidate);
    }
    for (std::size_t next = 0; next < waiting.size(); ++next) {
        const Motion x = candidates_[at(waiting[next])], back = lattice_->inverted(x);
        for (const Motion& keep : kept_)
            if (!close(lattice_->composed(keep, x), waiting) ||
                !close(lattice_->composed(x, keep), waiting))
                return false;
        chosen_.push_back(waiting[next]);
        if (!close(back, waiting)) return false;
        for (const int other : chosen_) {
            const Motion& y = candidates_[at(other)];
            if (!close(lattice_->composed(back, y), waiting) ||
                !close(lattice_->composed(lattice_->inverted(y), x), waiting) ||
                !close(lattice_->composed(x, y), waiting) ||
                !close(lattice_->composed(y, x), waiting))
                return false;
        }
    }
    return true;
}

Outcome Isohedral::descend() {
    if (++nodes_ > last_node_) return Outcome::kOpen;
    const int kinds = static_cast<int>(stabilizer_.size());
    std::vector<char> covered(covering_.size());
    for (const int c : chosen_)
        for (const int unit : covers_[at(c / kinds)]) covered[at(unit)] = 1;
    // Neighbors that are possible: not out, and they cover nothing that is covered.
    std::vector<char> possible(covers_.size());
    for (std::size_t k = 0; k < covers_.size(); ++k) {
        bool any = false;
        for (int c = 0; c < kinds && !any; ++c)
            any = state_[k * at(kinds) + at(c)] == State::kUnknown;
        possible[k] =
            any && std::ranges::none_of(covers_[k], [&](int u) { return covered[at(u)]; });
    }
    int unit = -1;
    std::ptrdiff_t fewest = std::numeric_limits<std::ptrdiff_t>::max();
    for (int u = 0; u < static_cast<int>(covering_.size()); ++u) {
        if (covered[at(u)]) continue;
        const auto ways =
            std::ranges::count_if(covering_[at(u)], [&](int k) { return possible[at(k)]; });
        if (ways < fewest) {
            fewest = ways;
            unit = u;
        }
    }
    if (unit < 0) return confirm() ? Outcome::kFound : Outcome::kRefuted;
    const std::vector<State> first = state_;
    const std::vector<int> before = chosen_;
    Outcome result = Outcome::kRefuted;
    std::vector<int> tried;
    for (const int k : covering_[at(unit)]) {
        if (!possible[at(k)]) continue;
        for (int c = k * kinds; c < (k + 1) * kinds && result == Outcome::kRefuted; ++c) {
            if (state_[at(c)] != State::kUnknown) continue;
            const std::vector<State> now = state_;
            if (add(c)) result = descend();
            if (result == Outcome::kFound) return result;
            state_ = now;
            chosen_ = before;
            state_[at(c)] = State::kOut;
        }
        if (result == Outcome::kOpen) break;
    }
    state_ = first;
    return result;
}

// The group that the chosen motions generate, as a tiling.
bool Isohedral::confirm() {
    std::map<int, Motion> of_turn = {{0, Motion{}}};
    std::vector<int> waiting = {0};
    std::vector<Vec> translations;
    std::vector<Motion> generators = kept_;
    for (const int c : chosen_) generators.push_back(candidates_[at(c)]);
    for (std::size_t next = 0; next < waiting.size(); ++next)
        for (const Motion& generator : generators) {
            const Motion product = lattice_->composed(of_turn.at(waiting[next]), generator);
            const auto [known, fresh] = of_turn.emplace(product.turn, product);
            if (fresh)
                waiting.push_back(product.turn);
            else
                translations.push_back(product.by - known->second.by);
        }
    const Sublattice period = spanned(translations, lattice_->dimension);
    if (period.index() == 0) return false;
    std::set<Placement> copies;
    for (const auto& [turn, motion] : of_turn) {
        Placement copy = prototiles_->moved(motion, {prototiles_->root(0), {}});
        copy.at = period.reduced(copy.at);
        copies.insert(copy);
    }
    found_ = {period, {copies.begin(), copies.end()}};
    return is_tiling(*prototiles_, found_);
}

// --- symmetries of a tiling

static Sublattice turned(const Lattice& lattice, int turn, const Sublattice& period) {
    std::vector<Vec> basis;
    for (int i = 0; i < period.dimension; ++i)
        basis.push_back(lattice.turned(turn, period.rows[i]));
    return spanned(basis, period.dimension);
}

std::vector<int> orbits(const Prototiles& prototiles, const Periodic& tiling) {
    const Lattice& lattice = prototiles.lattice();
    std::map<Placement, int> number;
    for (const Placement& copy : tiling.copies)
        number.emplace(Placement{copy.aspect, tiling.period.reduced(copy.at)},
                       static_cast<int>(number.size()));
    const int count = static_cast<int>(number.size());
    std::vector<int> parent(at(count));
    std::iota(parent.begin(), parent.end(), 0);
    const auto root = [&](int x) {
        while (parent[at(x)] != x) x = parent[at(x)] = parent[at(parent[at(x)])];
        return x;
    };
    // A motion is a symmetry if it takes each copy to one, and tiles equal by the period to such.
    const auto try_motion = [&](const Motion& motion, const Sublattice& period,
                                const std::map<Placement, int>& known) {
        std::vector<std::pair<int, int>> pairs;
        for (const auto& [copy, n] : known) {
            Placement image = prototiles.moved(motion, copy);
            image.at = period.reduced(image.at);
            const auto found = known.find(image);
            if (found == known.end()) return false;
            pairs.emplace_back(n, found->second);
        }
        for (const auto& [a, b] : pairs) parent[at(root(a))] = root(b);
        return true;
    };
    // All translations of the tiling first: other symmetries keep their lattice.
    const Placement first = number.begin()->first;
    std::vector<Vec> translations(tiling.period.rows.begin(),
                                  tiling.period.rows.begin() + lattice.dimension);
    for (const auto& [copy, n] : number)
        if (copy.aspect == first.aspect &&
            try_motion({0, copy.at - first.at}, tiling.period, number))
            translations.push_back(copy.at - first.at);
    const Sublattice period = spanned(translations, lattice.dimension);
    std::map<Placement, int> known;
    for (const auto& [copy, n] : number)
        known.emplace(Placement{copy.aspect, period.reduced(copy.at)}, n);
    for (int turn = 1; turn < lattice.turn_count(); ++turn) {
        if (turned(lattice, turn, period) != period) continue;
        const Placement image = prototiles.turned(turn, first);
        for (const auto& [copy, n] : known)
            if (copy.aspect == image.aspect) try_motion({turn, copy.at - image.at}, period, known);
    }
    std::map<int, int> class_of;
    std::vector<int> result;
    for (const Placement& copy : tiling.copies) {
        const int n = number.at({copy.aspect, tiling.period.reduced(copy.at)});
        result.push_back(
            class_of.emplace(root(n), static_cast<int>(class_of.size())).first->second);
    }
    return result;
}

}  // namespace exactile::tiling
