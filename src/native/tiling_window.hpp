// Part of the plane, or of space, with copies of prototiles in it: which units they cover, which
// placements are still possible, in how many ways each unit can still be covered, and why not in
// others.

#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <utility>
#include <vector>

#include "tiling_lemmas.hpp"

namespace exactile::tiling {

// The object that is sought.
enum class Rule {
    kPlane,    // a tiling: every unit must be covered
    kCoronas,  // a tile with a number of complete coronas: the halos of the inner tiles must be
               // covered
    kSolid,    // the same without holes
};

// A set of tiles in a window, by their numbers.
class TileSet {
public:
    static constexpr int kMost = 512;
    void add(int tile) { words_[word(tile)] |= bit(tile); }
    void remove(int tile) { words_[word(tile)] &= ~bit(tile); }
    bool has(int tile) const { return (words_[word(tile)] & bit(tile)) != 0; }
    int size() const {
        int count = 0;
        for (const std::uint64_t w : words_) count += std::popcount(w);
        return count;
    }
    TileSet& operator|=(const TileSet& other) {
        for (std::size_t i = 0; i < words_.size(); ++i) words_[i] |= other.words_[i];
        return *this;
    }
    template <typename Visit>
    void each(Visit visit) const {
        for (std::size_t i = 0; i < words_.size(); ++i)
            for (std::uint64_t w = words_[i]; w != 0; w &= w - 1)
                visit(static_cast<int>(i) * 64 + std::countr_zero(w));
    }

private:
    static std::size_t word(int tile) { return static_cast<std::size_t>(tile) / 64; }
    static std::uint64_t bit(int tile) { return std::uint64_t{1} << (tile % 64); }
    std::array<std::uint64_t, kMost / 64> words_{};
};

// Tiles that a contradiction rests on, and those of them whose coronas it rests on, too.
struct Reason {
    TileSet tiles, crowned;
    void remove(int tile) {
        tiles.remove(tile);
        crowned.remove(tile);
    }
    Reason& operator|=(const Reason& other) {
        tiles |= other.tiles;
        crowned |= other.crowned;
        return *this;
    }
};

class Window {
public:
    Window(const Prototiles& prototiles, const Lemmas& lemmas, Rule rule);

    // Make room for tiles up to `reach` places from 0; there must be no tiles. False if that is
    // more than the largest window has.
    [[nodiscard]] bool open(int reach);

    struct Tile {
        Placement placement;
        int place;    // its number in the window
        int coronas;  // complete ones around it, at least
        int giver;    // the neighbor that this follows from, -1 if it was given
        int since;    // the last tile when this became known
        std::size_t blocked, needed, raised;  // where its entries on the stacks begin
    };
    const std::vector<Tile>& tiles() const { return tiles_; }

    // Put a tile in a placement that is possible. Its coronas follow from its neighbors unless they
    // are given. False on a contradiction; the tile stays.
    bool place(int placement, int coronas = -1);
    void remove_last();
    // Remove all tiles, and what was required without them.
    void clear();

    // Why the last place() failed; adds to the reason. The unit that cannot be covered, or -1 if a
    // lemma excludes the tiles, and then which one.
    struct Contradiction {
        int unit = -1;
        int lemma = -1;
        Motion motion;
    };
    Contradiction explain_failure(Reason& reason) const;

    // Units that must be covered, in the order in which this became so.
    const std::vector<int>& needed() const { return needed_; }
    bool is_covered(int unit) const { return owner_[at(unit)] != 0; }
    int owner(int unit) const { return owner_[at(unit)] - 1; }
    int ways(int unit) const { return ways_[at(unit)]; }
    bool is_possible(int placement) const { return blocked_by_[at(placement)] == 0; }
    // Require a unit to be covered, as long as no tile requires it.
    void require(int unit);

    // Why a unit must be covered, and why no possible placement covers it. `excluded` gets each
    // placement that a lemma excludes, as note(placement, lemma, motion).
    void explain_need(int unit, Reason& reason) const;
    template <typename Note>
    void explain_cover(int unit, Reason& reason, Note note) const;
    // The lemma that excludes a placement; adds to the reason.
    std::pair<int, Motion> explain_exclusion(int placement, Reason& reason) const;
    // A tile with the coronas it has, and what they follow from.
    void add_crowned(int tile, Reason& reason) const;
    // Add what the coronas of all tiles of a reason follow from: after a tile was removed, they may
    // follow from other tiles than before.
    void follow_givers(Reason& reason) const;

    // Placements over a unit as offsets, in the order of their sorted units.
    struct Over {
        int offset;
        int aspect;
    };
    const std::vector<Over>& over(int type) const { return over_[at(type)]; }
    int placement_over(int unit, const Over& over) const {
        return unit / slots_ * aspects_ + over.offset;
    }
    int type(int unit) const { return unit % slots_; }
    bool is_inside(int unit) const;  // can all placements over it be tried?

    int number(const Unit& unit) const { return linear(unit.at) * slots_ + unit.type; }
    int number(const Placement& p) const { return linear(p.at) * aspects_ + p.aspect; }
    bool holds(const Placement& p) const;
    Unit unit(int number) const { return {position(number / slots_), number % slots_}; }
    Placement placement(int number) const {
        return {number % aspects_, position(number / aspects_)};
    }
    const std::vector<int>& units_of(int aspect) const { return units_[at(aspect)]; }
    const std::vector<int>& items_of(int aspect) const { return items_[at(aspect)]; }
    int unit_base(int placement) const { return placement / aspects_ * slots_; }

    // A unit of a hole too small for any tile that the last tile helped to enclose, -1 if none.
    int small_hole() const;
    // A unit of any hole that the tiles enclose, -1 if there is none.
    int any_hole() const;
    // Which tiles enclose a hole.
    void explain_hole(int unit, Reason& reason) const;
    // Does a tile touch no tile with a corona around it?
    bool is_outside(int tile) const;

    std::size_t units_in_window() const { return owner_.size(); }
    Rule rule() const { return rule_; }
    const Prototiles& prototiles() const { return *prototiles_; }

private:
    // Why a placement is not possible: tiles that it overlaps, or a lemma together with tiles.
    struct Block {
        int placement;
        int match;  // -1 for an overlap
        std::array<std::int16_t, 3> tiles;
        std::uint8_t count;
        std::uint8_t crowned;  // whose coronas matter, as bits
    };
    static std::size_t at(int i) { return static_cast<std::size_t>(i); }
    int linear(const Vec& v) const {
        return middle_ + v[0] + v[1] * strides_[1] + v[2] * strides_[2];
    }
    Vec position(int place) const;
    void block(const Block& block);
    void exclude(const Block& block);
    void give(int tile, int coronas, int giver);
    void exclude_pairs(int tile, int from, int to);
    void exclude_together(int tile);
    void need(int unit, int tile);
    void fail_at(int unit);
    void add(const Block& block, Reason& reason) const;
    std::pair<int, Motion> explain_match(const Block& block, Reason& reason) const;
    int later_giver(int tile) const;
    bool flood(int start, std::size_t most, std::int32_t first, std::vector<int>& region) const;
    const std::vector<int>& pair_offsets(int aspect);

    const Prototiles* prototiles_;
    const Lemmas* lemmas_;
    Rule rule_;
    int slots_, aspects_;
    int reach_ = -1, middle_ = 0;
    Vec sizes_{1, 1, 1}, strides_{1, 1, 1};
    std::vector<std::vector<int>> units_, items_, halos_, overlaps_, pair_offsets_;
    std::vector<std::vector<Over>> over_;
    std::vector<std::vector<Placement>> over_placements_;  // relative, sorted
    std::vector<std::vector<int>> joined_;

    std::vector<std::int16_t> owner_;      // tile + 1, of units and items
    std::vector<std::uint16_t> ways_;      // possible placements over each unit
    std::vector<std::int16_t> needed_by_;  // tile + 1; kByItself without a tile
    std::vector<std::int32_t>
        blocked_by_;  // entry of blocks_ + 1, or -(tile + 1) of the tile there
    std::vector<Tile> tiles_;
    std::vector<Block> blocks_;
    std::vector<int> needed_;
    struct Raise {
        int tile, coronas, giver, since;
    };
    std::vector<Raise> raises_;

    bool failed_ = false;
    int failed_unit_ = -1;
    int failed_tile_ = -1;   // that a lemma excludes together with others
    int failed_alone_ = -1;  // a tile that is excluded for itself
    Block failed_block_{};
    mutable std::vector<std::int32_t> seen_;
    mutable std::int32_t round_ = 0;
};

template <typename Note>
void Window::explain_cover(int unit, Reason& reason, Note note) const {
    for (const Over& over : over_[at(type(unit))]) {
        const int placement = placement_over(unit, over);
        if (blocked_by_[at(placement)] <= 0) continue;
        // One overlapped tile is enough: best one that is part of the reason already.
        const int base = unit_base(placement);
        int overlapped = 0;
        bool known = false;
        for (const auto* offsets : {&units_[at(over.aspect)], &items_[at(over.aspect)]})
            for (const int offset : *offsets) {
                const int tile = owner_[at(base + offset)];
                if (tile == 0) continue;
                if (reason.tiles.has(tile - 1)) known = true;
                if (overlapped == 0 || tile < overlapped) overlapped = tile;
            }
        if (known) continue;
        if (overlapped != 0) {
            reason.tiles.add(overlapped - 1);
            continue;
        }
        const auto [lemma, motion] = explain_exclusion(placement, reason);
        note(placement, lemma, motion);
    }
}

}  // namespace exactile::tiling
