// Open items by their number of branches, so that the cost of a node depends on what changes, not
// on the number of open items.

#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "cover.hpp"
#include "lanes.hpp"

namespace exactile::EXACTILE_ISA {

// A set of items as bits; above each 64 words is a word that marks which of them are not zero.
class ItemSet {
public:
    explicit ItemSet(std::size_t items) {
        do {
            items = (items + 63) / 64;
            levels_.emplace_back(std::max<std::size_t>(items, 1));
        } while (items > 1);
    }

    void insert(std::size_t item) {
        for (auto& level : levels_) {
            Word& word = level[item / 64];
            const bool known = word != 0;
            word |= Word{1} << (item % 64);
            if (known) break;
            item /= 64;
        }
    }

    void erase(std::size_t item) {
        for (auto& level : levels_) {
            Word& word = level[item / 64];
            word &= ~(Word{1} << (item % 64));
            if (word) break;
            item /= 64;
        }
    }

    bool empty() const { return levels_.back()[0] == 0; }

    Index lowest() const {
        std::size_t item = 0;
        for (std::size_t k = levels_.size(); k-- > 0;)
            item = item * 64 + EXACTILE_ISA::lowest(levels_[k][item]);
        return static_cast<Index>(item);
    }

private:
    std::vector<std::vector<Word>> levels_;
};

// The items with few branches; those with kMany or more are left to a scan of all items.
class Ranks {
public:
    static constexpr Index kMany = 16;
    static constexpr Index kUnknown = -1;  // all items must be scanned
    static constexpr Index kStuck = -2;    // an item has no branches

    explicit Ranks(std::size_t items) : sets_(kMany, ItemSet(items)) {}

    void insert(Index item, Index branches) {
        if (branches < kMany) set(branches).insert(static_cast<std::size_t>(item));
    }
    void erase(Index item, Index branches) {
        if (branches < kMany) set(branches).erase(static_cast<std::size_t>(item));
    }

    void move(Index item, Index from, Index to) {
        if (std::min(from, to) >= kMany || std::max(from, to) <= 0) return;
        erase(item, from);
        insert(item, to);
    }

    // The item with the fewest branches, the lowest number among equals; those with up to `near`,
    // but more than one, count as equal.
    Index pick(Index near) const {
        if (!sets_[0].empty()) return kStuck;
        if (!sets_[1].empty()) return sets_[1].lowest();
        if (near >= kMany) return kUnknown;
        Index best = kUnknown;
        for (Index n = 2; n < kMany && (n <= near || best == kUnknown); ++n)
            if (!sets_[n].empty() && (best == kUnknown || sets_[n].lowest() < best))
                best = sets_[n].lowest();
        return best;
    }

private:
    ItemSet& set(Index branches) { return sets_[std::max<Index>(branches, 0)]; }

    std::vector<ItemSet> sets_;
};

}  // namespace exactile::EXACTILE_ISA
