// Why a window contradicts itself: the tiles that a contradiction rests on; and its holes.

#include <algorithm>
#include <cstdlib>
#include <stdexcept>
#include <utility>

#include "tiling_window.hpp"

namespace exactile::tiling {

// --- reasons

// If a later tile is why a tile has its coronas, the reason rests on all between them too.
void Window::add_crowned(int tile, Reason& reason) const {
    while (tile >= 0) {
        reason.tiles.add(tile);
        if (rule_ == Rule::kPlane || reason.crowned.has(tile)) return;
        reason.crowned.add(tile);
        tile = later_giver(tile);
    }
}

int Window::later_giver(int tile) const {
    const Tile& mine = tiles_[at(tile)];
    return mine.since > tile ? mine.giver : -1;
}

void Window::follow_givers(Reason& reason) const {
    if (rule_ == Rule::kPlane) return;
    const TileSet crowned = reason.crowned;
    crowned.each([&](int tile) { add_crowned(later_giver(tile), reason); });
}

void Window::add(const Block& block, Reason& reason) const {
    for (int i = 0; i < block.count; ++i)
        if (block.crowned >> i & 1)
            add_crowned(block.tiles[at(i)], reason);
        else
            reason.tiles.add(block.tiles[at(i)]);
}

std::pair<int, Motion> Window::explain_exclusion(int placement, Reason& reason) const {
    const Block& block = blocks_[at(blocked_by_[at(placement)] - 1)];
    if (block.match < 0) throw std::invalid_argument("tiles overlap");
    return explain_match(block, reason);
}

// The lemma that excludes something, and how it lies.
std::pair<int, Motion> Window::explain_match(const Block& block, Reason& reason) const {
    add(block, reason);
    const Match& match = lemmas_->match(block.match);
    const Motion frame = prototiles_->motion_to(tiles_[at(block.tiles[0])].placement);
    return {match.lemma, prototiles_->lattice().composed(frame, match.motion)};
}

void Window::explain_need(int unit, Reason& reason) const {
    const std::int16_t tile = needed_by_[at(unit)];
    if (rule_ != Rule::kPlane && tile > 0) add_crowned(tile - 1, reason);
}

Window::Contradiction Window::explain_failure(Reason& reason) const {
    const Lattice& lattice = prototiles_->lattice();
    if (failed_alone_ >= 0) {
        add_crowned(failed_alone_, reason);
        const Placement& there = tiles_[at(failed_alone_)].placement;
        const int lemma = lemmas_->lemma_alone(prototiles_->aspect(there.aspect).prototile);
        const Motion from = prototiles_->motion_to(lemmas_->tiles(lemma)[0].tile);
        return {-1, lemma, lattice.composed(prototiles_->motion_to(there), lattice.inverted(from))};
    }
    if (failed_tile_ >= 0) {
        const auto [lemma, motion] = explain_match(failed_block_, reason);
        reason.tiles.add(failed_tile_);
        return {-1, lemma, motion};
    }
    return {failed_unit_, -1, {}};
}

// --- holes

// Collect the uncovered units that are joined with one. False if they are more than `most`, or meet
// what was reached since the round `first`: what could not be collected then.
bool Window::flood(int start, std::size_t most, std::int32_t first,
                   std::vector<int>& region) const {
    ++round_;
    region.assign(1, start);
    seen_[at(start)] = round_;
    for (std::size_t k = 0; k < region.size(); ++k) {
        if (region.size() > most) return false;
        for (const int step : joined_[at(type(region[k]))]) {
            const int next = region[k] + step;
            if (owner_[at(next)] != 0 || seen_[at(next)] == round_) continue;
            if (seen_[at(next)] >= first) return false;
            seen_[at(next)] = round_;
            region.push_back(next);
        }
    }
    return true;
}

int Window::small_hole() const {
    const std::size_t least = at(prototiles_->units_of(0));
    const Tile& last = tiles_.back();
    const int base = unit_base(last.place);
    const std::int32_t first = round_ + 1;
    std::vector<int> region;
    for (const int offset : halos_[at(last.placement.aspect)]) {
        const int start = base + offset;
        if (owner_[at(start)] != 0 || seen_[at(start)] >= first) continue;
        if (flood(start, least - 1, first, region)) return start;
    }
    return -1;
}

void Window::explain_hole(int unit, Reason& reason) const {
    std::vector<int> region;
    flood(unit, owner_.size(), round_ + 1, region);
    for (const int each : region)
        for (const int step : joined_[at(type(each))]) {
            const int tile = owner_[at(each + step)] - 1;
            if (tile >= 0) reason.tiles.add(tile);
        }
}

int Window::any_hole() const {
    ++round_;
    // What the outside reaches within the box around all tiles and the places next to it.
    Vec low = tiles_.front().placement.at, high = low;
    for (const Tile& tile : tiles_)
        for (int i = 0; i < kAxes; ++i) {
            low[i] = std::min(low[i], tile.placement.at[i]);
            high[i] = std::max(high[i], tile.placement.at[i] + prototiles_->extent());
        }
    const int dimension = prototiles_->lattice().dimension;
    for (int i = 0; i < dimension; ++i) {
        low[i] -= 2;
        high[i] += 2;
    }
    const auto within = [&](int unit) {
        const Vec v = position(unit / slots_);
        for (int i = 0; i < dimension; ++i)
            if (v[i] < low[i] || v[i] > high[i]) return false;
        return true;
    };
    std::vector<int> region;
    for (int type = 0; type < prototiles_->lattice().types; ++type)
        region.push_back(number({low, type}));
    for (const int unit : region) seen_[at(unit)] = round_;
    for (std::size_t k = 0; k < region.size(); ++k)
        for (const int step : joined_[at(type(region[k]))]) {
            const int next = region[k] + step;
            if (owner_[at(next)] != 0 || seen_[at(next)] == round_ || !within(next)) continue;
            seen_[at(next)] = round_;
            region.push_back(next);
        }
    for (const Tile& tile : tiles_)
        for (const int offset : halos_[at(tile.placement.aspect)]) {
            const int unit = unit_base(tile.place) + offset;
            if (owner_[at(unit)] == 0 && seen_[at(unit)] != round_) return unit;
        }
    return -1;
}

bool Window::is_outside(int tile) const {
    const Tile& mine = tiles_[at(tile)];
    const int base = unit_base(mine.place);
    for (const int offset : halos_[at(mine.placement.aspect)]) {
        const int other = owner_[at(base + offset)] - 1;
        if (other >= 0 && tiles_[at(other)].coronas > 0) return false;
    }
    return true;
}

}  // namespace exactile::tiling
