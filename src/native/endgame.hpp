// The search below a node with at most 512 live options: nearly all nodes of a large tree.
//
// Live options and open items are numbered anew, so that a set of options is eight words and a set
// of open items one to four. A node is then a few dozen vector instructions: the options of all
// used items are struck out, and the live options of eight items at a time are counted.
//
// Invariants at a node: bit o of `live` is set if the option here called o can still be chosen;
// bit i of `open` is set if item i needs options; every open item has at least one live option.

#pragma once

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <vector>

#include "branching.hpp"
#include "kernels.hpp"
#include "lanes.hpp"
#include "prune.hpp"
#include "search.hpp"

namespace exactile::EXACTILE_ISA {

class Endgame {
public:
    static constexpr std::size_t kMostOptions = 64 * kLanes;
    static constexpr std::size_t kMostOpen = 256;

    Endgame(const Problem& problem, const Prunings& prunings, Nearness near)
        : problem_(problem),
          near_(near),
          pruner_(problem, prunings),
          pruning_(pruner_.active()),
          local_(static_cast<std::size_t>(problem.slot_count())),
          stamp_(local_.size(), 0),
          masks_(kMostOpen) {}

    // Search below run.path. `live` are the live options in increasing order, at most
    // kMostOptions; `used` has the uses of each item; at most kMostOpen items are open.
    void search(const std::vector<Index>& live, const Index* used, Run& run) {
        number_slots(live, used);
        for (std::size_t n = 0; n < live.size(); ++n)
            for (std::int64_t k = begin_of(live[n]); k < end_of(live[n]); ++k) {
                const Index slot = problem_.slots[k];
                set_bit(rivals_[local_[slot]], n);
                if (problem_.colored(slot)) set_bit(rivals_[local_[problem_.item_of[slot]]], n);
            }
        // So far these are the options with a slot; now they become its rivals.
        for (const Index slot : present_) {
            if (!problem_.colored(slot)) continue;
            Block& own = rivals_[local_[slot]];
            const Block& all = rivals_[local_[problem_.item_of[slot]]];
            store(own.word, without(load(all.word), load(own.word)));
        }
        start(live, used, run);
    }

    // The same for a kernel that has a mask of rivals for every slot, `words` words each, and
    // `live_words` in place of a list: masks are squeezed to the live options word by word.
    void search(const std::vector<Index>& live, const Word* live_words, std::size_t words,
                const Word* rivals, const Index* used, Run& run) {
        if (!squeezing_pays(live, words)) return search(live, used, run);
        number_all_slots(used);
        pieces_.clear();
        std::size_t place = 0;
        for (std::size_t w = 0; w < words; ++w)
            if (live_words[w]) {
                pieces_.push_back({w, place});
                place += bits_in(live_words[w]);
            }
        for (const Index slot : present_)
            squeeze(rivals + static_cast<std::size_t>(slot) * words, live_words,
                    rivals_[local_[slot]]);
        start(live, used, run);
    }

private:
    static constexpr std::size_t kFree = 0xffffffff;  // no item is open: any option is a branch

    template <std::size_t kOpen>
    struct State {
        Block live;
        Word open[kOpen];
    };
    struct Piece {
        std::size_t word;   // a word with live options,
        std::size_t place;  // the first of which is called so here
    };

    std::int64_t begin_of(Index option) const { return problem_.cover.first[option]; }
    std::int64_t end_of(Index option) const { return problem_.cover.first[option + 1]; }

    static void set_bit(Block& block, std::size_t bit) {
        block.word[bit / 64] |= Word{1} << (bit % 64);
    }

    // A rough rule: a word of a mask costs as much to squeeze as a third of a slot to enter.
    // Without the instruction for it, it never pays.
    bool squeezing_pays(const std::vector<Index>& live, std::size_t words) const {
#if defined(__BMI2__)
        const std::size_t slots = static_cast<std::size_t>(end_of(live[0]) - begin_of(live[0]));
        return local_.size() * std::min(words, live.size()) < 3 * live.size() * slots;
#else
        static_cast<void>(live);
        static_cast<void>(words);
        return false;
#endif
    }

    bool is_open(Index slot, const Index* used) const {
        return !problem_.colored(slot) && used[slot] < problem_.cover.lower[slot];
    }

    // Number the slots of live options: open items first, in increasing order, as the choice of
    // the item demands, the others from `others` on.
    void number_slots(const std::vector<Index>& live, const Index* used) {
        ++epoch_;
        present_.clear();
        for (const Index option : live)
            for (std::int64_t k = begin_of(option); k < end_of(option); ++k) {
                note(problem_.slots[k]);
                note(problem_.item_of[problem_.slots[k]]);
            }
        std::sort(present_.begin(), present_.end());
        number_present(used);
    }

    void number_all_slots(const Index* used) {
        present_.clear();
        for (Index slot = 0; slot < problem_.slot_count(); ++slot)
            if (used[problem_.item_of[slot]] < problem_.cover.upper[problem_.item_of[slot]])
                present_.push_back(slot);
        number_present(used);
    }

    void note(Index slot) {
        if (stamp_[slot] == epoch_) return;
        stamp_[slot] = epoch_;
        present_.push_back(slot);
    }

    void number_present(const Index* used) {
        items_.clear();
        for (const Index slot : present_)
            if (is_open(slot, used)) items_.push_back(slot);
        const std::size_t others = items_.size() <= 64 ? 64 : kMostOpen;
        rivals_.assign(others + present_.size(), Block{});
        std::size_t open = 0;
        std::size_t next = others;
        for (const Index slot : present_)
            local_[slot] = static_cast<Index>(is_open(slot, used) ? open++ : next++);
    }

    void squeeze(const Word* mask, const Word* live, Block& out) const {
        Word squeezed[kLanes + 1] = {};
        for (const Piece& piece : pieces_) {
            const Word bits = gathered(mask[piece.word], live[piece.word]);
            const std::size_t shift = piece.place % 64;
            squeezed[piece.place / 64] |= bits << shift;
            squeezed[piece.place / 64 + 1] |= bits >> 1 >> (63 - shift);
        }
        std::memcpy(out.word, squeezed, sizeof(out.word));
    }

    // With the rivals of every slot known, set up the rest and search.
    void start(const std::vector<Index>& live, const Index* used, Run& run) {
        original_ = live.data();
        set_bounds(live, used);
        if (pruning_) pruner_.prepare(live, items_, local_);
        blocks_ = (items_.size() + kLanes - 1) / kLanes;
        switch ((live.size() + 63) / 64) {
            case 1:
            case 2:
                return start<2>(live.size(), run);
            case 3:
            case 4:
                return start<4>(live.size(), run);
            case 5:
                return start<5>(live.size(), run);
            case 6:
                return start<6>(live.size(), run);
            case 7:
                return start<7>(live.size(), run);
            default:
                return start<8>(live.size(), run);
        }
    }

    template <std::size_t kWords>
    void start(std::size_t options, Run& run) {
        for (std::size_t b = 0; b < blocks_; ++b)
            for (std::size_t w = 0; w < kWords; ++w)
                for (std::size_t i = 0; i < kLanes; ++i)
                    masks_[b * kWords + w].word[i] = rivals_[b * kLanes + i].word[w];
        if (items_.size() <= 64)
            bounded_ ? begin<kWords, 1, true>(options, run) : begin<kWords, 1, false>(options, run);
        else
            bounded_ ? begin<kWords, 4, true>(options, run) : begin<kWords, 4, false>(options, run);
    }

    // How often each slot can and must still be used; whether any can be used more than once.
    void set_bounds(const std::vector<Index>& live, const Index* used) {
        bounded_ = problem_.loose;
        room_.assign(rivals_.size(), 1);
        need_.assign(rivals_.size(), 0);
        unbounded_.assign(rivals_.size(), false);
        surplus_.assign(kMostOpen / kLanes, Block{});
        for (const Index slot : present_) {
            if (problem_.colored(slot)) continue;
            const std::size_t i = static_cast<std::size_t>(local_[slot]);
            room_[i] = problem_.cover.upper[slot] - used[slot];
            need_[i] = std::max(problem_.cover.lower[slot] - used[slot], Index{0});
            if (need_[i] == 0 && room_[i] > 1 && room_[i] >= static_cast<Index>(live.size())) {
                rivals_[i] = Block{};  // no choice has as many options: no bound at all
                room_[i] = 1;
                unbounded_[i] = true;
            }
            set_surplus(i);
            bounded_ |= room_[i] > 1;
        }
    }

    void set_surplus(std::size_t i) {
        if (i < items_.size())
            surplus_[i / kLanes].word[i % kLanes] = static_cast<Word>(std::max(need_[i], 1) - 1);
    }

    template <std::size_t kWords, std::size_t kOpen, bool kBounded>
    void begin(std::size_t options, Run& run) {
        State<kOpen> state{};
        for (std::size_t o = 0; o < options; ++o) set_bit(state.live, o);
        for (std::size_t i = 0; i < items_.size(); ++i) state.open[i / 64] |= Word{1} << (i % 64);
        const Key key = choice<kWords, kOpen, kBounded>(state);
        if (branches_of(key) > 0 && !hopeless(state))
            node<kWords, kOpen, kBounded>(state, key, run);
    }

    // The item to branch on, if any is open.
    template <std::size_t kWords, std::size_t kOpen, bool kBounded>
    Key choice(const State<kOpen>& state) const {
        Word any = 0;
        for (const Word open : state.open) any |= open;
        if (any)
            return pick<kWords>(masks_.data(), kWords, state.live.word, state.open, blocks_,
                                kBounded ? surplus_.data() : nullptr, near(state.open, kOpen));
        Key live = 0;
        for (const Word word : state.live.word) live += bits_in(word);
        return live << 32 | static_cast<Key>(kFree);
    }

    Index near(const Word* open, std::size_t words) const {
        if (near_.branches == 1) return 1;
        std::size_t count = 0;
        for (std::size_t w = 0; w < words; ++w) count += bits_in(open[w]);
        return near_.at(count);
    }

    // Search below a node that is counted already and has branches.
    template <std::size_t kWords, std::size_t kOpen, bool kBounded>
    void node(const State<kOpen>& state, Key key, Run& run) {
        const std::size_t item = item_in(key);
        const bool roomy = item == kFree || (kBounded && room_[item] > 1);
        const std::size_t mark = run.path.size();
        Lanes live = load(state.live.word);
        Key left = branches_of(key);
        bool stopping = run.stop(left * static_cast<Key>(blocks_ * kLanes * kWords));
        for (std::size_t w = 0; w < kWords && left > 0; ++w) {
            Word rest = state.live.word[w];
            if (item != kFree) rest &= rivals_[item].word[w];
            for (; rest && left > 0; rest &= rest - 1, --left) {
                const std::size_t option = w * 64 + lowest(rest);
                if (stopping) [[unlikely]] {
                    run.leave(original_[option]);
                } else {
                    run.path.push_back(original_[option]);
                    branch<kWords, kOpen, kBounded>(state, live, option, run);
                    run.path.pop_back();
                    stopping = run.stopped();
                }
                if (roomy) {
                    Block one{};
                    set_bit(one, option);
                    live = without(live, load(one.word));
                    run.path.push_back(~original_[option]);
                }
            }
        }
        run.path.resize(mark);
        if (stopping) [[unlikely]]
            run.divide(branches_of(key));
    }

    // Choose an option and search below.
    template <std::size_t kWords, std::size_t kOpen, bool kBounded>
    [[gnu::always_inline]] inline void branch(const State<kOpen>& state, Lanes live,
                                              std::size_t option, Run& run) {
        State<kOpen> below;
        Lanes out = splat(0);
        Word met[kOpen] = {};
        const std::size_t mark = spent_.size();
        const Index* slot = &problem_.slots[begin_of(original_[option])];
        const Index* const end = slot + (end_of(original_[option]) - begin_of(original_[option]));
        run.updates += static_cast<std::uint64_t>(end - slot) * kLanes;
        for (; slot != end; ++slot) {
            const std::size_t i = static_cast<std::size_t>(local_[*slot]);
            if (kBounded && room_[i] > 1) {
                spend(i);
                if (need_[i] > 0) continue;
            } else {
                out = either(out, load(rivals_[i].word));
            }
            if (i < 64 * kOpen) met[kOpen == 1 ? 0 : i / 64] |= Word{1} << (i % 64);
        }
        live = without(live, out);
        if (kBounded) {  // the option itself need not be among its rivals
            Block one{};
            set_bit(one, option);
            live = without(live, load(one.word));
        }
        store(below.live.word, live);
        Word any = 0;
        for (std::size_t k = 0; k < kOpen; ++k) {
            below.open[k] = state.open[k] & ~met[k];
            any |= below.open[k];
        }
        ++run.nodes;
        if (!any) run.solution();
        const Key key = choice<kWords, kOpen, kBounded>(below);
        if (branches_of(key) > 0 && !hopeless(below))
            node<kWords, kOpen, kBounded>(below, key, run);
        if (kBounded)
            while (spent_.size() > mark) unspend();
    }

    template <std::size_t kOpen>
    bool hopeless(const State<kOpen>& state) {
        return pruning_ &&
               pruner_.hopeless(state.live.word, state.open, kOpen, need_, room_, unbounded_);
    }

    void spend(std::size_t i) {
        --room_[i];
        spent_.push_back({i, need_[i]});
        need_[i] = std::max(need_[i] - 1, 0);
        set_surplus(i);
    }

    void unspend() {
        const Spent& last = spent_.back();
        ++room_[last.item];
        need_[last.item] = last.need;
        set_surplus(last.item);
        spent_.pop_back();
    }

    struct Spent {
        std::size_t item;
        Index need;
    };

    const Problem& problem_;
    const Nearness near_;
    Pruner pruner_;
    const bool pruning_;
    std::vector<Index> local_;          // slot -> its number here
    std::vector<std::uint64_t> stamp_;  // slot -> the last epoch in which it was present
    std::uint64_t epoch_ = 0;
    std::vector<Index> present_;       // slots that have numbers here
    std::vector<Index> items_;         // the open items
    std::vector<Piece> pieces_;        // scratch of squeezing
    const Index* original_ = nullptr;  // option here -> option of the problem
    std::size_t blocks_ = 0;           // blocks of open items
    std::vector<Block> masks_;         // block of items, word -> the items' options, in lanes
    std::vector<Block> rivals_;        // slot -> the options that it rules out
    bool bounded_ = false;             // whether any item can be used more than once
    std::vector<Index> room_;          // slot -> how often it can still be used
    std::vector<Index> need_;          // slot -> how often it must still be used
    std::vector<bool> unbounded_;      // slot -> whether it may be used by all options at once
    std::vector<Block> surplus_;       // block of items -> need less one, in lanes
    std::vector<Spent> spent_;         // uses to be undone
};

}  // namespace exactile::EXACTILE_ISA
