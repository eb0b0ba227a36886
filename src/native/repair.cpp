#include "repair.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace exactile {

namespace {

constexpr std::size_t kMostOptions = 2500;  // of a neighborhood; more slow a move down
constexpr std::size_t kFarTooMany = 4 * kMostOptions;
constexpr std::uint64_t kFillNodes = 8000;
constexpr Index kFillStep = 2;
constexpr Index kMostCost = 30;
constexpr double kLeastShare = 1e-3;
constexpr std::int64_t kFillings = 3;      // looked at for one that is not the old one
constexpr std::size_t kWorkOfOption = 10;  // to enter one into an excerpt
constexpr std::size_t kSteps = 4;          // a neighborhood begins up to 2 * (kSteps - 1) units off

}  // namespace

// --- the tiling

Tiling::Tiling(const Ground& ground) : ground_(ground) { clear(); }

void Tiling::clear() {
    const std::size_t items = ground_.cover().lower.size();
    options_.clear();
    used_.assign(items, 0);
    color_.assign(items, 0);
    owner_.assign(items, 0);
    cost_ = 0;
}

void Tiling::add(Index option) {
    const Cover& cover = ground_.cover();
    options_.push_back(option);
    for (std::int64_t k = cover.first[option]; k < cover.first[option + 1]; ++k) {
        const Index item = cover.members[k];
        if (++used_[item] > cover.upper[item]) cost_ += ground_.is_piece(item);
        if (cover.colors[k] > 0) color_[item] = cover.colors[k];
    }
    own(options_.size() - 1);
}

void Tiling::own(std::size_t place) {
    for (const Index item : ground_.members(options_[place]))
        if (ground_.is_unit(item)) owner_[item] = place;
}

void Tiling::remove(Index option) {
    const Cover& cover = ground_.cover();
    std::size_t place = 0;
    for (const Index item : ground_.members(option)) {
        if (used_[item]-- > cover.upper[item]) cost_ -= ground_.is_piece(item);
        if (used_[item] == 0) color_[item] = 0;
        if (ground_.is_unit(item)) place = owner_[item];
    }
    options_[place] = options_.back();
    options_.pop_back();
    if (place < options_.size()) own(place);
}

Index Tiling::owner(Index unit) const { return used_[unit] ? options_[owner_[unit]] : kNone; }

bool Tiling::fits(Index option) const {
    const Cover& cover = ground_.cover();
    for (std::int64_t k = cover.first[option]; k < cover.first[option + 1]; ++k) {
        const Index item = cover.members[k];
        if (ground_.is_piece(item)) continue;
        const Index color = cover.colors[k];
        const bool alike = color > 0 && color_[item] == color;
        if (used_[item] >= cover.upper[item] && !alike) return false;
    }
    return true;
}

bool Tiling::surplus(Index option) const {
    for (const Index item : ground_.members(option))
        if (ground_.is_piece(item) && used_[item] > ground_.cover().upper[item]) return true;
    return false;
}

std::vector<Index> Tiling::packing() const {
    std::vector<Index> used(used_.size(), 0), kept;
    for (const Index option : options_) {
        bool room = true;
        for (const Index item : ground_.members(option))
            room &= !ground_.is_piece(item) || used[item] < ground_.cover().upper[item];
        if (!room) continue;
        kept.push_back(option);
        for (const Index item : ground_.members(option)) ++used[item];
    }
    return kept;
}

// --- moves

Repair::Repair(Ground& ground, Dice& dice)
    : ground_(ground), dice_(dice), tiling_(ground), excerpt_(ground.cover()) {
    const Cover& cover = ground.cover();
    piece_.assign(ground.problem.options(), -1);
    for (Index o = 0; o < cover.options(); ++o)
        for (const Index item : ground.members(o))
            if (ground.is_piece(item)) {
                applies_ &= piece_[o] < 0;
                piece_[o] = item;
            }
    applies_ &= !ground.units().empty();
    for (const Index item : ground.demands())
        if (ground.is_piece(item)) needed_.push_back(item);
    weight_.assign(cover.lower.size(), 0);
    offered_.assign(cover.lower.size(), 0);
    mark_.assign(cover.lower.size(), 0);
    sort_options();
}

// List the options by their first unit; those without units play no part.
void Repair::sort_options() {
    const Cover& cover = ground_.cover();
    std::vector<Index> anchor(ground_.problem.options(), -1);
    first_.assign(cover.lower.size() + 1, 0);
    for (Index o = 0; o < cover.options(); ++o) {
        for (const Index item : ground_.members(o))
            if (ground_.is_unit(item) && (anchor[o] < 0 || item < anchor[o])) anchor[o] = item;
        if (anchor[o] >= 0) ++first_[anchor[o] + 1];
    }
    std::partial_sum(first_.begin(), first_.end(), first_.begin());
    list_.resize(first_.back());
    std::vector<std::size_t> next(first_);
    for (Index o = 0; o < cover.options(); ++o)
        if (anchor[o] >= 0) list_[next[anchor[o]]++] = o;
}

std::vector<Index> Repair::open_units() const {
    std::vector<Index> open;
    for (const Index unit : ground_.units())
        if (tiling_.used(unit) == 0) open.push_back(unit);
    return open;
}

bool Repair::fill(const std::vector<Index>& chosen) {
    tiling_.clear();
    for (const Index option : chosen) tiling_.add(option);
    const std::vector<Index> open = open_units();
    if (open.empty()) return true;
    for (Index budget = 0; budget <= kMostCost; budget += kFillStep) {
        if (ground_.stop.load(std::memory_order_relaxed)) return false;
        bool gathered = gather(open, budget);
        while (!gathered && budget > 0 && share_ > kLeastShare) gathered = gather(open, budget);
        if (!gathered) continue;
        std::uint64_t nodes = kFillNodes;
        const auto found = excerpt_.search({}, 1, nodes, ground_.stop);
        nodes_ += nodes;
        work_ += excerpt_.work();
        if (found.empty()) continue;
        for (const Index option : found[0]) tiling_.add(option);
        ground_.offer(tiling_.packing());
        return true;
    }
    return false;
}

// Whether the options of a used-up piece can be chosen at a cost this time. If there are many
// pieces, a random part of them is offered, which limits the number of options.
bool Repair::pays(Index piece) const { return piece >= 0 && offered_[piece]; }

// Make an excerpt of what fills open units only. Returns whether it is of a size to be searched.
bool Repair::gather(const std::vector<Index>& open, Index budget) {
    const Cover& cover = ground_.cover();
    for (Index item = 0; item < cover.items(); ++item)
        offered_[item] = ground_.is_piece(item) && budget > 0 && dice_.fraction() < share_;
    free_.clear();
    paid_.clear();
    for (const Index unit : open)
        for (std::size_t k = first_[unit]; k < first_[unit + 1]; ++k) {
            const Index option = list_[k];
            const Index piece = piece_of(option);
            const bool free = piece < 0 || tiling_.used(piece) < cover.upper[piece];
            if ((!free && !pays(piece)) || !tiling_.fits(option)) continue;
            if (free) free_.push_back(option);
            if (pays(piece)) paid_.push_back(option);
        }
    for (const Index unit : open) work_ += first_[unit + 1] - first_[unit];
    const std::size_t options = free_.size() + paid_.size();
    work_ += kWorkOfOption * options;
    if (budget > 0 && options > kMostOptions)
        share_ *= options > kFarTooMany ? 0.5 : 0.93;
    else if (budget > 0 && options < kMostOptions * 7 / 10)
        share_ = std::min(1.0, share_ * 1.05);
    if (options > kFarTooMany) return false;
    dice_.shuffle(free_);
    dice_.shuffle(paid_);
    excerpt_.begin(open);
    const Index purse = excerpt_.add_item(0, budget);
    for (const Index option : free_) excerpt_.add(option);
    for (const Index option : paid_)
        excerpt_.add(option, [this](Index item) { return !ground_.is_piece(item); }, purse);
    for (Index item = 0; item < cover.items(); ++item) {
        if (!excerpt_.holds(item)) continue;
        // What has bounds 0..1 and is used has no options here, or those with its color.
        if (cover.lower[item] == 0 && cover.upper[item] == 1 && !ground_.is_piece(item)) continue;
        const Index used = std::min(tiling_.used(item), cover.upper[item]);
        const Index lower = ground_.is_piece(item) ? 0 : cover.lower[item] - used;
        excerpt_.bound(item, lower, cover.upper[item] - used);
    }
    return true;
}

// The options around a unit, nearest first.
std::vector<Index> Repair::neighborhood(Index unit, std::size_t size) {
    std::vector<Index> options, queue{unit}, around;
    mark_[unit] = ++time_;
    for (std::size_t head = 0; head < queue.size() && options.size() < size; ++head) {
        const Index option = tiling_.owner(queue[head]);
        if (option != Tiling::kNone &&
            std::find(options.begin(), options.end(), option) == options.end())
            options.push_back(option);
        const Ground::Range near = ground_.neighbors(queue[head]);
        around.assign(near.begin(), near.end());
        dice_.shuffle(around);
        for (const Index other : around) {
            if (!ground_.is_unit(other) || mark_[other] == time_) continue;
            mark_[other] = time_;
            queue.push_back(other);
        }
    }
    return options;
}

// A unit: any, or one near an option whose piece is used too often.
Index Repair::somewhere(bool at_surplus) {
    if (!at_surplus) return dice_.of(ground_.units());
    std::vector<Index> surplus, units;
    for (const Index option : tiling_.options())
        if (tiling_.surplus(option)) surplus.push_back(option);
    for (const Index item : ground_.members(dice_.of(surplus)))
        if (ground_.is_unit(item)) units.push_back(item);
    Index unit = dice_.of(units);
    for (std::size_t steps = 2 * dice_.below(kSteps); steps > 0; --steps) {
        const Ground::Range near = ground_.neighbors(unit);
        const auto count = static_cast<std::size_t>(near.end() - near.begin());
        const Index next = count > 0 ? near.begin()[dice_.below(count)] : unit;
        if (ground_.is_unit(next)) unit = next;
    }
    return unit;
}

double Repair::weight_left_over() const {
    double sum = 0;
    for (const Index piece : needed_)
        sum +=
            weight_[piece] * std::max(ground_.cover().lower[piece] - tiling_.used(piece), Index{0});
    return sum;
}

// Pieces that are left over now weigh more from now on.
void Repair::learn(double rate) {
    for (const Index piece : needed_)
        weight_[piece] += rate * (tiling_.used(piece) < ground_.cover().lower[piece]);
}

// Fill a neighborhood anew at its cost less `less`. Returns whether that was done; `nodes`, the
// limit of the search, becomes what it took.
bool Repair::move(std::vector<Index> old, Index less, std::uint64_t& nodes) {
    ++moves_;
    const std::uint64_t limit = std::exchange(nodes, 0);
    std::sort(old.begin(), old.end());
    std::vector<Index> open;
    const double weight = weight_left_over();
    Index budget = tiling_.cost();
    for (const Index option : old) {
        tiling_.remove(option);
        for (const Index item : ground_.members(option))
            if (ground_.is_unit(item)) open.push_back(item);
    }
    budget -= tiling_.cost();
    if (budget > 0 || less < 0) budget -= less;  // what costs nothing can only be made different
    std::vector<Index> fresh(old);
    nodes = limit;
    if (gather(open, budget)) {
        for (std::vector<Index>& filling :
             excerpt_.search({}, less > 0 ? 1 : kFillings, nodes, ground_.stop)) {
            std::sort(filling.begin(), filling.end());
            if (filling != old) fresh = std::move(filling);
        }
        nodes_ += nodes;
        work_ += excerpt_.work();
    }
    for (const Index option : fresh) tiling_.add(option);
    const double more = less > 0 ? 0 : weight_left_over() - weight;
    if (more <= 0 || dice_.fraction() < std::exp(-more)) return fresh != old;
    for (const Index option : fresh) tiling_.remove(option);
    for (const Index option : old) tiling_.add(option);
    return false;
}

void Repair::walk(const Walk& walk, std::uint64_t moves, std::uint64_t patience) {
    double strict_size = walk.strict;
    double level_size = walk.level;
    Index best = tiling_.cost();
    std::uint64_t gained = 0;
    for (std::uint64_t m = 0; m < moves && m - gained < patience && tiling_.cost() > 0; ++m) {
        if (ground_.stop.load(std::memory_order_relaxed)) return;
        const bool strict = dice_.fraction() < 0.5;
        double& size = strict ? strict_size : level_size;
        const double wanted = std::max(2.0, size + 2 * dice_.fraction() - 0.5);
        const std::vector<Index> around = neighborhood(somewhere(strict || dice_.fraction() < 0.3),
                                                       static_cast<std::size_t>(wanted));
        const bool risky = !strict && tiling_.cost() <= best && dice_.fraction() < walk.risk;
        std::uint64_t nodes = walk.nodes;
        const bool moved = move(around, strict ? 1 : risky ? -1 : 0, nodes);
        if (!strict) learn(walk.learning);
        if (walk.adaptive) {
            if (nodes >= walk.nodes && !moved)
                size -= strict ? 0.05 : 0.1;
            else if (nodes < walk.nodes / 5)
                size += 0.02;
            if (moved && !strict) size -= 0.02;
            size = std::clamp(size, 3.0, static_cast<double>(tiling_.options().size()) + 3);
        }
        if (tiling_.cost() < best) {
            best = tiling_.cost();
            gained = m;
            ground_.offer(tiling_.packing());
        }
    }
}

}  // namespace exactile
