#include "tiling_window.hpp"

#include <algorithm>
#include <cstdlib>
#include <stdexcept>
#include <utility>

namespace exactile::tiling {

static constexpr std::int16_t kByItself = -1;
static constexpr std::int64_t kMostPlacements = 1 << 26;

Window::Window(const Prototiles& prototiles, const Lemmas& lemmas, Rule rule)
    : prototiles_(&prototiles),
      lemmas_(&lemmas),
      rule_(rule),
      slots_(prototiles.lattice().slots),
      aspects_(prototiles.aspect_count()),
      over_placements_(at(prototiles.lattice().types)) {
    for (int a = 0; a < aspects_; ++a)
        for (const Unit& unit : prototiles.aspect(a).units)
            over_placements_[at(unit.type)].push_back({a, Vec{} - unit.at});
    for (auto& placements : over_placements_) {
        std::vector<std::pair<Units, Placement>> keyed;
        for (const Placement& p : placements) {
            Units units = prototiles.aspect(p.aspect).units;
            for (Unit& unit : units) unit.at = unit.at + p.at;
            keyed.emplace_back(std::move(units), p);
        }
        std::ranges::sort(keyed);
        for (std::size_t k = 0; k < keyed.size(); ++k) placements[k] = keyed[k].second;
    }
}

bool Window::open(int reach) {
    if (!tiles_.empty()) throw std::logic_error("a window with tiles cannot be opened");
    if (reach == reach_) return true;
    reach_ = -1;
    const Lattice& lattice = prototiles_->lattice();
    // Tiles begin within an extent of the reach; what they exclude lies up to two extents farther
    // (see Lemmas), and has an extent of its own.
    const int half = reach + 4 * prototiles_->extent() + 4;
    std::int64_t places = 1;
    for (int i = 0; i < kAxes; ++i) {
        sizes_[i] = i < lattice.dimension ? 2 * half + 1 : 1;
        strides_[i] = static_cast<int>(places);
        places *= sizes_[i];
    }
    if (places * std::max(aspects_, slots_) > kMostPlacements) return false;
    reach_ = reach;
    middle_ = 0;
    for (int i = 0; i < lattice.dimension; ++i) middle_ += half * strides_[i];

    const auto offset = [&](const Vec& v) { return linear(v) - middle_; };
    const auto offsets = [&](const Units& units) {
        std::vector<int> result;
        for (const Unit& unit : units) result.push_back(offset(unit.at) * slots_ + unit.type);
        return result;
    };
    units_.clear();
    items_.clear();
    halos_.clear();
    overlaps_.clear();
    for (int a = 0; a < aspects_; ++a) {
        units_.push_back(offsets(prototiles_->aspect(a).units));
        items_.push_back(offsets(prototiles_->aspect(a).items));
        halos_.push_back(offsets(prototiles_->aspect(a).halo));
        overlaps_.emplace_back();
        for (const Placement& p : prototiles_->overlaps(a))
            overlaps_.back().push_back(offset(p.at) * aspects_ + p.aspect);
    }
    pair_offsets_.assign(at(aspects_), {});
    over_.assign(at(lattice.types), {});
    for (std::size_t type = 0; type < over_.size(); ++type)
        for (const Placement& p : over_placements_[type])
            over_[type].push_back({offset(p.at) * aspects_ + p.aspect, p.aspect});
    joined_.assign(at(lattice.types), {});
    for (int type = 0; type < lattice.types; ++type)
        for (const Unit& step : lattice.joined[at(type)])
            joined_[at(type)].push_back(offset(step.at) * slots_ + step.type - type);

    const auto size = static_cast<std::size_t>(places);
    owner_.assign(size * at(slots_), 0);
    needed_by_.assign(size * at(slots_), 0);
    blocked_by_.assign(size * at(aspects_), 0);
    seen_.assign(size * at(slots_), 0);
    round_ = 0;
    ways_.assign(size * at(slots_), 0);
    for (std::size_t place = 0; place < size; ++place)
        for (std::size_t type = 0; type < over_.size(); ++type)
            ways_[place * at(slots_) + type] = static_cast<std::uint16_t>(over_[type].size());
    return true;
}

Vec Window::position(int place) const {
    Vec v{};
    for (int i = 0; i < kAxes; ++i) v[i] = place / strides_[i] % sizes_[i] - sizes_[i] / 2;
    return v;
}

bool Window::is_inside(int unit) const {
    const Vec v = position(unit / slots_);
    for (int i = 0; i < prototiles_->lattice().dimension; ++i)
        if (std::abs(v[i]) > reach_) return false;
    return true;
}

bool Window::holds(const Placement& p) const {
    for (int i = 0; i < prototiles_->lattice().dimension; ++i)
        if (std::abs(p.at[i]) > sizes_[i] / 2 - prototiles_->extent()) return false;
    return true;
}

// --- placing and removing

void Window::fail_at(int unit) {
    if (failed_) return;
    failed_ = true;
    failed_unit_ = unit;
}

void Window::block(const Block& block) {
    auto& entry = blocked_by_[at(block.placement)];
    if (entry != 0) return;
    blocks_.push_back(block);
    entry = static_cast<std::int32_t>(blocks_.size());
    const int base = unit_base(block.placement);
    for (const int offset : units_[at(block.placement % aspects_)]) {
        const int unit = base + offset;
        if (--ways_[at(unit)] == 0 && owner_[at(unit)] == 0 &&
            (rule_ == Rule::kPlane || needed_by_[at(unit)] != 0))
            fail_at(unit);
    }
}

// What a lemma excludes may already be there.
void Window::exclude(const Block& block) {
    const std::int32_t entry = blocked_by_[at(block.placement)];
    if (entry >= 0) {
        this->block(block);
    } else if (!failed_) {
        failed_ = true;
        failed_tile_ = -entry - 1;
        failed_block_ = block;
    }
}

void Window::need(int unit, int tile) {
    if (owner_[at(unit)] != 0 || needed_by_[at(unit)] != 0) return;
    needed_by_[at(unit)] = static_cast<std::int16_t>(tile < 0 ? kByItself : tile + 1);
    needed_.push_back(unit);
    if (ways_[at(unit)] == 0) fail_at(unit);
}

void Window::require(int unit) {
    if (!tiles_.empty()) throw std::logic_error("units are required before there are tiles");
    need(unit, -1);
}

const std::vector<int>& Window::pair_offsets(int aspect) {
    auto& offsets = pair_offsets_[at(aspect)];
    const auto& pairs = lemmas_->pairs(aspect);
    for (std::size_t k = offsets.size(); k < pairs.size(); ++k)
        offsets.push_back(number(pairs[k].excluded) - middle_ * aspects_);
    return offsets;
}

void Window::exclude_pairs(int tile, int from, int to) {
    const int aspect = tiles_[at(tile)].placement.aspect;
    const int place = tiles_[at(tile)].place;
    const auto& pairs = lemmas_->pairs(aspect);
    const auto& offsets = pair_offsets(aspect);
    for (std::size_t k = 0; k < pairs.size(); ++k) {
        const int coronas = pairs[k].coronas;
        if (coronas <= from || coronas > to) continue;
        exclude({place - aspect + offsets[k],
                 pairs[k].match,
                 {static_cast<std::int16_t>(tile), 0, 0},
                 1,
                 static_cast<std::uint8_t>(coronas > 0)});
    }
}

void Window::exclude_together(int tile) {
    if (!lemmas_->has_together()) return;
    const Tile& mine = tiles_[at(tile)];
    const int prototile = prototiles_->aspect(mine.placement.aspect).prototile;
    const Motion frame = prototiles_->motion_to(mine.placement);
    const Motion back = prototiles_->lattice().inverted(frame);
    for (int other = 0; other < tile; ++other) {
        const Tile& theirs = tiles_[at(other)];
        bool near = true;
        for (int i = 0; i < kAxes; ++i)
            near &= std::abs(theirs.placement.at[i] - mine.placement.at[i]) <= lemmas_->range();
        if (!near) continue;
        const Placement seen = prototiles_->moved(back, theirs.placement);
        for (const int m : lemmas_->together(prototile, seen)) {
            const Match& match = lemmas_->match(m);
            if (mine.coronas < match.coronas[0] || theirs.coronas < match.coronas[1]) continue;
            const bool four = lemmas_->tiles(match.lemma).size() == 4;
            int third = 0;
            if (four) {
                const Placement there = prototiles_->moved(frame, match.third.tile);
                if (!holds(there)) continue;
                third = -blocked_by_[at(number(there))] - 1;
                if (third < 0 || tiles_[at(third)].coronas < match.coronas[2]) continue;
            }
            const Placement excluded = prototiles_->moved(frame, match.excluded.tile);
            if (!holds(excluded)) continue;
            exclude(
                {number(excluded),
                 m,
                 {static_cast<std::int16_t>(tile), static_cast<std::int16_t>(other),
                  static_cast<std::int16_t>(third)},
                 static_cast<std::uint8_t>(four ? 3 : 2),
                 static_cast<std::uint8_t>((match.coronas[0] > 0) | (match.coronas[1] > 0) << 1 |
                                           (four && match.coronas[2] > 0) << 2)});
        }
    }
}

// A tile has more complete coronas around it than was known; its neighbors have one less.
void Window::give(int tile, int coronas, int giver) {
    const int before = tiles_[at(tile)].coronas;
    if (before >= 0)
        raises_.push_back({tile, before, tiles_[at(tile)].giver, tiles_[at(tile)].since});
    tiles_[at(tile)].coronas = coronas;
    tiles_[at(tile)].giver = giver;
    tiles_[at(tile)].since = static_cast<int>(tiles_.size()) - 1;
    const int aspect = tiles_[at(tile)].placement.aspect;
    if (!failed_ && coronas >= lemmas_->excluded_from(prototiles_->aspect(aspect).prototile)) {
        failed_ = true;
        failed_alone_ = tile;
    }
    exclude_pairs(tile, before, coronas);
    if (coronas == 0) return;
    const int base = unit_base(tiles_[at(tile)].place);
    if (before <= 0)
        for (const int offset : halos_[at(aspect)]) need(base + offset, tile);
    if (coronas == 1) return;
    for (const int offset : halos_[at(aspect)]) {
        const int other = owner_[at(base + offset)] - 1;
        if (other >= 0 && tiles_[at(other)].coronas < coronas - 1) give(other, coronas - 1, tile);
    }
}

bool Window::place(int placement, int coronas) {
    const int tile = static_cast<int>(tiles_.size());
    if (tile >= TileSet::kMost) throw std::length_error("there are too many tiles");
    const int aspect = placement % aspects_;
    failed_ = false;
    failed_unit_ = failed_tile_ = failed_alone_ = -1;
    tiles_.push_back({this->placement(placement), placement, -1, -1, -1, blocks_.size(),
                      needed_.size(), raises_.size()});
    blocked_by_[at(placement)] = -(tile + 1);
    const int base = unit_base(placement);
    for (const auto* offsets : {&units_[at(aspect)], &items_[at(aspect)]})
        for (const int offset : *offsets)
            owner_[at(base + offset)] = static_cast<std::int16_t>(tile + 1);
    int giver = -1;
    if (coronas < 0) {
        coronas = 0;
        for (const int offset : halos_[at(aspect)]) {
            const int other = owner_[at(base + offset)] - 1;
            if (other >= 0 && tiles_[at(other)].coronas - 1 > coronas) {
                coronas = tiles_[at(other)].coronas - 1;
                giver = other;
            }
        }
    }
    for (const int offset : overlaps_[at(aspect)])
        block({placement - aspect + offset, -1, {static_cast<std::int16_t>(tile), 0, 0}, 1, 0});
    give(tile, coronas, giver);
    if (!failed_) exclude_together(tile);
    return !failed_;
}

void Window::remove_last() {
    const Tile tile = tiles_.back();
    for (; raises_.size() > tile.raised; raises_.pop_back()) {
        const Raise& raise = raises_.back();
        tiles_[at(raise.tile)].coronas = raise.coronas;
        tiles_[at(raise.tile)].giver = raise.giver;
        tiles_[at(raise.tile)].since = raise.since;
    }
    for (; needed_.size() > tile.needed; needed_.pop_back()) needed_by_[at(needed_.back())] = 0;
    for (; blocks_.size() > tile.blocked; blocks_.pop_back()) {
        const int placement = blocks_.back().placement;
        blocked_by_[at(placement)] = 0;
        const int base = unit_base(placement);
        for (const int offset : units_[at(placement % aspects_)]) ++ways_[at(base + offset)];
    }
    const int base = unit_base(tile.place);
    for (const auto* offsets :
         {&units_[at(tile.placement.aspect)], &items_[at(tile.placement.aspect)]})
        for (const int offset : *offsets) owner_[at(base + offset)] = 0;
    blocked_by_[at(tile.place)] = 0;
    tiles_.pop_back();
}

void Window::clear() {
    while (!tiles_.empty()) remove_last();
    for (; !needed_.empty(); needed_.pop_back()) needed_by_[at(needed_.back())] = 0;
}

}  // namespace exactile::tiling
