// Reasons for a node of the endgame to have no solution below it, though every item has options.
//
// Both reasons weigh the units: items that must be used exactly once and that the caller calls
// units. Components: open units that no live option joins with others must be filled on their own,
// by options of the sizes that are there. Balance: under any weights, the options chosen must add
// up to the open units; each piece (again an item that the caller calls so) contributes
// only what its options weigh. Every solution meets both conditions, so none is lost.

#pragma once

#include <algorithm>
#include <bitset>
#include <cstddef>
#include <cstdlib>
#include <vector>

#include "kernels.hpp"
#include "lanes.hpp"
#include "search.hpp"

namespace exactile::EXACTILE_ISA {

class Pruner {
public:
    Pruner(const Problem& problem, const Prunings& prunings)
        : problem_(problem), prunings_(prunings) {}

    bool active() const { return prunings_.components || prunings_.balance; }

    // Learn the options and open items of an endgame. `local` numbers the slots, open items first.
    void prepare(const std::vector<Index>& live, const std::vector<Index>& items,
                 const std::vector<Index>& local) {
        const std::size_t shades = prunings_.balance ? prunings_.shades.size() : 0;
        unit_of_.assign(kWords, 0);
        for (std::size_t i = 0; i < items.size(); ++i)
            if (is_unit(items[i])) unit_of_[i / 64] |= Word{1} << (i % 64);
        touched_.assign(live.size() * kWords, 0);
        values_.assign(live.size() * shades, 0);
        piece_.assign(live.size(), kNone);
        shared_ = false;
        for (std::size_t n = 0; n < live.size(); ++n) {
            const Cover& cover = problem_.cover;
            for (std::int64_t k = cover.first[live[n]]; k < cover.first[live[n] + 1]; ++k) {
                const Index item = cover.members[k];
                if (is_unit(item)) {
                    const auto i = static_cast<std::size_t>(local[item]);
                    touched_[n * kWords + i / 64] |= Word{1} << (i % 64);
                    for (std::size_t s = 0; s < shades; ++s)
                        values_[n * shades + s] += prunings_.shades[s][item];
                } else if (item < prunings_.pieces && cover.colors[k] == 0) {
                    shared_ |= piece_[n] != kNone;
                    piece_[n] = local[item];
                }
            }
        }
        weights_.assign(items.size() * shades, 0);
        for (std::size_t i = 0; i < items.size(); ++i)
            for (std::size_t s = 0; s < shades && is_unit(items[i]); ++s)
                weights_[i * shades + s] = prunings_.shades[s][items[i]];
    }

    // Whether there is no solution below a node. `need`, `room` and `unbounded` are
    // those of the local slots.
    bool hopeless(const Word* live, const Word* open, std::size_t open_words,
                  const std::vector<Index>& need, const std::vector<Index>& room,
                  const std::vector<bool>& unbounded) {
        Word units[kWords] = {};
        for (std::size_t w = 0; w < open_words; ++w) units[w] = open[w] & unit_of_[w];
        list_.clear();
        for (std::size_t w = 0; w < 8; ++w)
            for (Word rest = live[w]; rest; rest &= rest - 1)
                list_.push_back(w * 64 + lowest(rest));
        return (prunings_.components && !components_fill(units)) ||
               (prunings_.balance && !balances(units, need, room, unbounded));
    }

private:
    static constexpr std::size_t kWords = 4;  // words of a set of open items
    static constexpr Index kNone = -1;
    static constexpr int kZero = 256;  // sums from -kZero to kZero - 1 are kept
    using Sums = std::bitset<2 * kZero>;

    bool is_unit(Index item) const {
        return item >= prunings_.pieces && item < prunings_.pieces + prunings_.units &&
               problem_.cover.lower[item] == 1 && problem_.cover.upper[item] == 1;
    }

    const Word* touched(std::size_t option) const { return &touched_[option * kWords]; }

    bool components_fill(const Word* units) {
        Word rest[kWords];
        std::copy_n(units, kWords, rest);
        for (std::size_t w = 0; w < kWords; ++w)
            while (rest[w]) {
                Word component[kWords] = {};
                component[w] = rest[w] & (~rest[w] + 1);
                if (!fills(component)) return false;
                for (std::size_t v = 0; v < kWords; ++v) rest[v] &= ~component[v];
            }
        return true;
    }

    // Grow the component of some unit; return whether options of the sizes in it can fill it.
    bool fills(Word* component) {
        std::size_t waiting = list_.size();
        Word sizes = 0;
        for (bool grown = true; grown;) {
            grown = false;
            for (std::size_t k = 0; k < waiting;) {
                const Word* units = touched(list_[k]);
                Word meets = 0;
                for (std::size_t w = 0; w < kWords; ++w) meets |= units[w] & component[w];
                if (!meets) {
                    ++k;
                    continue;
                }
                for (std::size_t w = 0; w < kWords; ++w) component[w] |= units[w];
                sizes |= Word{1} << std::min<std::size_t>(count(units), 63);
                std::swap(list_[k], list_[--waiting]);
                grown = true;
            }
        }
        const std::size_t size = count(component);
        std::bitset<256 + 64> sums;  // the sizes that options can add up to
        sums[0] = true;
        for (std::size_t total = 0; total < size; ++total)
            if (sums[total])
                for (Word left = sizes; left; left &= left - 1) sums[total + lowest(left)] = true;
        return sums[size] || (sizes >> 63 & 1);
    }

    static std::size_t count(const Word* words) {
        std::size_t total = 0;
        for (std::size_t w = 0; w < kWords; ++w) total += bits_in(words[w]);
        return total;
    }

    bool balances(const Word* units, const std::vector<Index>& need, const std::vector<Index>& room,
                  const std::vector<bool>& unbounded) {
        for (std::size_t s = 0; s < prunings_.shades.size(); ++s)
            if (!balances(s, units, need, room, unbounded)) return false;
        return true;
    }

    bool balances(std::size_t shade, const Word* units, const std::vector<Index>& need,
                  const std::vector<Index>& room, const std::vector<bool>& unbounded) {
        const std::size_t shades = prunings_.shades.size();
        Index wanted = 0;
        for (std::size_t w = 0; w < kWords; ++w)
            for (Word rest = units[w]; rest; rest &= rest - 1)
                wanted += weights_[(w * 64 + lowest(rest)) * shades + shade];
        choices_.clear();
        for (const std::size_t option : list_) {
            const Index value = values_[option * shades + shade];
            if (piece_[option] != kNone)
                choices_.push_back({piece_[option], value});
            else if (value != 0)
                return true;  // any number of such options may be chosen
        }
        std::sort(choices_.begin(), choices_.end());
        choices_.erase(std::unique(choices_.begin(), choices_.end()), choices_.end());
        Sums sums;
        sums[kZero] = true;
        std::int64_t reach = 0;
        for (std::size_t k = 0; k < choices_.size();) {
            const auto i = static_cast<std::size_t>(choices_[k].first);
            std::size_t end = k;
            Index most = 0;
            for (; end < choices_.size() && choices_[end].first == choices_[k].first; ++end)
                most = std::max(most, std::abs(choices_[end].second));
            const Index all = static_cast<Index>(list_.size());
            const Index uses = unbounded[i] ? all : std::min(room[i], all);
            if ((reach += std::int64_t{uses} * most) >= kZero)
                return true;  // too far for the sums kept
            add_piece(sums, k, end, shared_ ? 0 : need[i], uses);
            k = end;
        }
        return std::abs(wanted) < kZero && sums[static_cast<std::size_t>(kZero + wanted)];
    }

    // Add what a piece can contribute that is used from `need` to `uses` times.
    void add_piece(Sums& sums, std::size_t begin, std::size_t end, Index need, Index uses) const {
        Sums now = sums;
        if (need > 0) sums.reset();
        for (Index use = 1; use <= uses; ++use) {
            Sums next;
            for (std::size_t k = begin; k < end; ++k) {
                const Index value = choices_[k].second;
                next |= value < 0 ? now >> static_cast<std::size_t>(-value)
                                  : now << static_cast<std::size_t>(value);
            }
            now = next;
            if (use >= need) sums |= now;
        }
    }

    const Problem& problem_;
    const Prunings& prunings_;
    std::vector<Word> unit_of_;                     // the open items that are units
    std::vector<Word> touched_;                     // option -> its units
    std::vector<Index> piece_;                      // option -> its piece, or kNone
    bool shared_ = false;                           // whether an option has several pieces
    std::vector<Index> values_;                     // option, shade -> weight of its units
    std::vector<Index> weights_;                    // open item, shade -> weight
    std::vector<std::size_t> list_;                 // scratch: live options
    std::vector<std::pair<Index, Index>> choices_;  // scratch: piece, weight
};

}  // namespace exactile::EXACTILE_ISA
