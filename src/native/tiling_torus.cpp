#include "tiling_torus.hpp"

#include <algorithm>
#include <limits>
#include <utility>

namespace exactile::tiling {

static constexpr std::int64_t kPulse = 64;  // nodes

bool is_tiling(const Prototiles& prototiles, const Periodic& tiling) {
    const Lattice& lattice = prototiles.lattice();
    const int places = tiling.period.index();
    if (places <= 0) return false;
    std::vector<char> covered(static_cast<std::size_t>(places * lattice.slots));
    for (const Placement& copy : tiling.copies) {
        const Aspect& aspect = prototiles.aspect(copy.aspect);
        for (const auto* units : {&aspect.units, &aspect.items})
            for (const Unit& unit : *units) {
                const int place = tiling.period.number(unit.at + copy.at);
                char& there = covered[static_cast<std::size_t>(place * lattice.slots + unit.type)];
                if (there) return false;
                there = 1;
            }
    }
    for (int place = 0; place < places; ++place)
        for (int type = 0; type < lattice.types; ++type)
            if (!covered[static_cast<std::size_t>(place * lattice.slots + type)]) return false;
    return true;
}

Torus::Torus(const Prototiles& prototiles, Pulse pulse)
    : prototiles_(&prototiles),
      pulse_(std::move(pulse)),
      types_(prototiles.lattice().types),
      aspects_(prototiles.aspect_count()) {}

// Does an aspect go with its own translates?
bool Torus::fits(int aspect, const std::vector<char>& excluded) {
    std::vector<int> seen;
    const Aspect& a = prototiles_->aspect(aspect);
    for (const auto* units : {&a.units, &a.items})
        for (const Unit& unit : *units)
            seen.push_back(period_.number(unit.at) * prototiles_->lattice().slots + unit.type);
    std::ranges::sort(seen);
    if (std::ranges::adjacent_find(seen) != seen.end()) return false;
    const auto& neighbors = prototiles_->neighbors(aspect);
    for (std::size_t k = 0; k < neighbors.size() && !excluded.empty(); ++k)
        if (neighbors[k].aspect == aspect &&
            excluded[at(prototiles_->class_of(aspect, static_cast<int>(k)))] &&
            period_.number(neighbors[k].at) == 0)
            return false;
    return true;
}

bool Torus::prepare(const std::vector<char>& excluded) {
    allowed_.assign(at(aspects_), 0);
    bool any = false;
    for (int a = 0; a < aspects_; ++a) any |= allowed_[at(a)] = fits(a, excluded);
    if (!any) return false;

    std::vector<Vec> place(at(places_));
    for (int p = 0; p < places_; ++p) place[at(p)] = period_.place(p);
    sums_.resize(at(places_) * at(places_));
    for (int p = 0; p < places_; ++p)
        for (int q = p; q < places_; ++q)
            sums_[at(p) * at(places_) + at(q)] = sums_[at(q) * at(places_) + at(p)] =
                period_.number(place[at(p)] + place[at(q)]);

    units_.assign(at(aspects_), {});
    excludes_.assign(at(aspects_), {});
    over_.assign(at(types_), {});
    std::vector<char> seen(at(places_ * aspects_));
    for (int a = 0; a < aspects_; ++a) {
        if (!allowed_[at(a)]) continue;
        for (const Unit& unit : prototiles_->aspect(a).units) {
            units_[at(a)].push_back({period_.number(unit.at), unit.type});
            over_[at(unit.type)].push_back(period_.number(Vec{} - unit.at) * aspects_ + a);
        }
        auto& excludes = excludes_[at(a)];
        const auto exclude = [&](const Placement& p) {
            const int number = period_.number(p.at) * aspects_ + p.aspect;
            if (!allowed_[at(p.aspect)] || seen[at(number)]) return;
            seen[at(number)] = 1;
            excludes.push_back(number);
        };
        for (const Placement& p : prototiles_->overlaps(a)) exclude(p);
        const auto& neighbors = prototiles_->neighbors(a);
        for (std::size_t k = 0; k < neighbors.size() && !excluded.empty(); ++k)
            if (excluded[at(prototiles_->class_of(a, static_cast<int>(k)))]) exclude(neighbors[k]);
        for (const int number : excludes) seen[at(number)] = 0;
    }
    covered_.assign(at(places_ * types_), 0);
    blocked_.assign(at(places_ * aspects_), 0);
    ways_.resize(at(places_ * types_));
    for (int p = 0; p < places_; ++p)
        for (int type = 0; type < types_; ++type)
            ways_[at(p * types_ + type)] = static_cast<std::int32_t>(over_[at(type)].size());
    return true;
}

// No tiling has this aspect anywhere.
void Torus::drop(int aspect) {
    if (!allowed_[at(aspect)]) return;
    allowed_[at(aspect)] = 0;
    for (int p = 0; p < places_; ++p) {
        char& blocked = blocked_[at(p * aspects_ + aspect)];
        if (blocked) continue;
        blocked = 1;
        for (const At& unit : units_[at(aspect)])
            --ways_[at(sum(p, unit.place) * types_ + unit.type)];
    }
}

// Keep account of prototiles that are still to be used.
void Torus::use(int aspect, int times) {
    const int prototile = prototiles_->aspect(aspect).prototile;
    const int units = prototiles_->units_of(prototile);
    int& used = used_[at(prototile)];
    if (used == 0) missing_ -= units;
    used += times;
    if (used == 0) missing_ += units;
    open_ -= times * units;
}

bool Torus::place(int placement) {
    const int aspect = placement % aspects_, place = placement / aspects_;
    bool fine = true;
    chosen_.push_back(placement);
    use(aspect, 1);
    for (const At& unit : units_[at(aspect)])
        covered_[at(sum(place, unit.place) * types_ + unit.type)] = 1;
    for (const int each : excludes_[at(aspect)]) {
        const int other = each % aspects_, there = sum(place, each / aspects_);
        char& blocked = blocked_[at(there * aspects_ + other)];
        if (blocked) continue;
        blocked = 1;
        trail_.push_back(there * aspects_ + other);
        for (const At& unit : units_[at(other)]) {
            const std::size_t number = at(sum(there, unit.place) * types_ + unit.type);
            if (--ways_[number] == 0 && !covered_[number]) fine = false;
        }
    }
    return fine;
}

void Torus::remove(std::size_t blocked) {
    for (; trail_.size() > blocked; trail_.pop_back()) {
        const int aspect = trail_.back() % aspects_, place = trail_.back() / aspects_;
        blocked_[at(trail_.back())] = 0;
        for (const At& unit : units_[at(aspect)])
            ++ways_[at(sum(place, unit.place) * types_ + unit.type)];
    }
    const int aspect = chosen_.back() % aspects_, place = chosen_.back() / aspects_;
    chosen_.pop_back();
    use(aspect, -1);
    for (const At& unit : units_[at(aspect)])
        covered_[at(sum(place, unit.place) * types_ + unit.type)] = 0;
}

Outcome Torus::descend() {
    if (++nodes_ > last_node_) return Outcome::kOpen;
    if (nodes_ >= next_pulse_) {
        next_pulse_ = nodes_ + kPulse;
        stopped_ = stopped_ || (pulse_ && pulse_());
    }
    if (stopped_) return Outcome::kStopped;
    if (all_ && missing_ > open_) return Outcome::kRefuted;
    int unit = -1, fewest = std::numeric_limits<int>::max();
    for (int each = 0; each < places_ * types_ && fewest > 1; ++each)
        if (!covered_[at(each)] && ways_[at(each)] < fewest) {
            unit = each;
            fewest = ways_[at(each)];
        }
    if (unit < 0) {
        found_ = {period_, {}};
        for (const int placement : chosen_)
            found_.copies.push_back({placement % aspects_, period_.place(placement / aspects_)});
        return Outcome::kFound;
    }
    if (fewest == 0) return Outcome::kRefuted;
    for (const int each : over_[at(unit % types_)]) {
        const int placement = sum(unit / types_, each / aspects_) * aspects_ + each % aspects_;
        if (blocked_[at(placement)]) continue;
        const std::size_t before = trail_.size();
        const Outcome outcome = place(placement) ? descend() : Outcome::kRefuted;
        remove(before);
        if (outcome != Outcome::kRefuted) return outcome;
    }
    return Outcome::kRefuted;
}

Outcome Torus::search(const Representative& representative, const std::vector<char>& excluded,
                      bool all, std::int64_t nodes) {
    period_ = representative.period;
    places_ = period_.index();
    all_ = all;
    stopped_ = false;
    last_node_ = nodes_ + nodes;
    used_.assign(at(prototiles_->prototile_count()), 0);
    open_ = places_ * types_;
    missing_ = 0;
    for (int p = 0; p < prototiles_->prototile_count(); ++p) missing_ += prototiles_->units_of(p);
    if ((all && missing_ > open_) || !prepare(excluded)) return Outcome::kRefuted;
    // Try aspect after aspect at 0, of each prototile, or of the first if all must be used: a
    // tiling with this aspect can be moved so that it lies there. Afterwards the aspect is
    // excluded, with its images under motions that keep the period.
    const int prototiles = all ? 1 : prototiles_->prototile_count();
    Outcome result = Outcome::kRefuted;
    for (int a = 0; a < aspects_; ++a) {
        if (!allowed_[at(a)] || prototiles_->aspect(a).prototile >= prototiles) continue;
        const std::size_t before = trail_.size();
        const Outcome outcome = place(a) ? descend() : Outcome::kRefuted;
        remove(before);
        if (outcome == Outcome::kFound || outcome == Outcome::kStopped) return outcome;
        if (outcome == Outcome::kOpen) {
            result = Outcome::kOpen;
            continue;
        }
        for (const int turn : representative.keep) drop(prototiles_->turned(turn, {a, {}}).aspect);
    }
    return result;
}

}  // namespace exactile::tiling
