// Exact cover on bit vectors: the live options as bits, and for every slot a mask of its rivals.
//
// Choosing an option strikes out, a word at a time, the rivals of its slots. The number of live
// options of an item is the population of a mask, for eight items at a time. At nodes with few live
// options the endgame takes over.

#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "endgame.hpp"

namespace exactile::EXACTILE_ISA {

// Tables that never change; all threads share them.
struct BitTables {
    explicit BitTables(const Problem& problem)
        : words(std::max<std::size_t>(1, (problem.options() + 63) / 64)),
          blocks((problem.primaries.size() + kLanes - 1) / kLanes) {
        make_rivals(problem);
        make_masks(problem);
    }

    const Word* rivals_of(Index slot) const {
        return rivals.data() + static_cast<std::size_t>(slot) * words;
    }

    const std::size_t words;      // words of a set of options
    const std::size_t blocks;     // blocks of primary items
    std::vector<Word> rivals;     // slot -> the options that it rules out
    std::vector<Block> masks;     // block of primary items, word -> the items' options, in lanes
    std::vector<Index> position;  // item -> its place among the primary items, or -1
    bool any_surplus = false;     // whether any item must be used more than once

private:
    void make_rivals(const Problem& problem) {
        const Cover& cover = problem.cover;
        rivals.assign(static_cast<std::size_t>(problem.slot_count()) * words, 0);
        const auto mark = [&](Index slot, Index option) {
            rivals[static_cast<std::size_t>(slot) * words + option / 64] |= Word{1}
                                                                            << (option % 64);
        };
        for (Index o = 0; o < cover.options(); ++o)
            for (std::int64_t k = cover.first[o]; k < cover.first[o + 1]; ++k) {
                mark(problem.slots[k], o);
                mark(cover.members[k], o);
            }
        for (Index s = cover.items(); s < problem.slot_count(); ++s)
            for (std::size_t w = 0; w < words; ++w) {
                Word& own = rivals[static_cast<std::size_t>(s) * words + w];
                own = rivals_of(problem.item_of[s])[w] & ~own;
            }
    }

    void make_masks(const Problem& problem) {
        masks.assign(blocks * words, Block{});
        position.assign(problem.cover.lower.size(), -1);
        for (std::size_t p = 0; p < problem.primaries.size(); ++p) {
            const Index item = problem.primaries[p];
            position[item] = static_cast<Index>(p);
            any_surplus |= problem.cover.lower[item] > 1;
            for (std::size_t w = 0; w < words; ++w)
                masks[p / kLanes * words + w].word[p % kLanes] = rivals_of(item)[w];
        }
    }
};

class Bits final : public Kernel {
public:
    Bits(const Problem& problem, const Tuning& tuning)
        : Bits(problem, tuning, std::make_shared<const BitTables>(problem)) {}

    std::unique_ptr<Kernel> another() const override {
        return std::unique_ptr<Kernel>(new Bits(problem_, tuning_, tables_));
    }

    void search(const Path& prefix, Run& run) override {
        run.set_out();
        reset();
        for (const Index move : prefix) follow(move);
        run.path = prefix;
        run.arrive();
        enter(run);
        while (!stack_.empty()) {
            if (run.stop(static_cast<std::int64_t>(blocks_ * kLanes * words_))) return leave(run);
            if (advance(run)) enter(run);
        }
    }

private:
    Bits(const Problem& problem, const Tuning& tuning, std::shared_ptr<const BitTables> tables)
        : problem_(problem),
          tuning_(tuning),
          tables_(std::move(tables)),
          endgame_(problem, tuning.prunings, tuning.near),
          words_(tables_->words),
          blocks_(tables_->blocks) {}

    static constexpr std::size_t kFree = 0xffffffff;  // no item is open: any option is a branch

    struct Frame {
        std::size_t mark;  // length of the path above the node
        std::size_t item;  // position of the item to branch on, or kFree
        bool roomy;        // its options do not rule out each other: branches exclude earlier ones
        Key branches;
        Key taken;         // branches taken so far; the path ends with the last of them
        std::size_t word;  // where to look for the next
    };

    Word* live(std::size_t depth) { return live_.data() + depth * words_; }
    const Word* rivals(Index slot) const { return tables_->rivals_of(slot); }
    Index position(Index item) const { return tables_->position[item]; }

    void reset() {
        const Cover& cover = problem_.cover;
        stack_.clear();
        used_.assign(cover.lower.size(), 0);
        live_.assign(words_, 0);
        for (std::size_t o = 0; o < problem_.options(); ++o) live_[o / 64] |= Word{1} << (o % 64);
        for (Index i = 0; i < cover.items(); ++i)
            if (cover.upper[i] == 0) strike(live(0), i);
        open_.assign((blocks_ + kLanes - 1) / kLanes, 0);
        surplus_.assign(blocks_, Block{});
        open_count_ = 0;
        for (const Index item : problem_.primaries) set_open(item);
        for (const Index item : problem_.primaries) set_surplus(item);
    }

    void follow(Index move) {
        const Index option = move < 0 ? ~move : move;
        if (option >= problem_.cover.options() || !(live(0)[option / 64] >> (option % 64) & 1))
            throw std::invalid_argument("the prefix contradicts itself at option " +
                                        std::to_string(option));
        live(0)[option / 64] &= ~(Word{1} << (option % 64));
        if (move >= 0) choose(option, live(0));
    }

    void strike(Word* live, Index slot) const {
        const Word* mask = rivals(slot);
        for (std::size_t w = 0; w < words_; ++w) live[w] &= ~mask[w];
    }

    void set_open(Index item) {
        const Index p = position(item);
        open_[p / 64] |= Word{1} << (p % 64);
        ++open_count_;
    }

    void set_closed(Index item) {
        const Index p = position(item);
        open_[p / 64] &= ~(Word{1} << (p % 64));
        --open_count_;
    }

    void set_surplus(Index item) {
        if (!tables_->any_surplus) return;
        const Index need = problem_.cover.lower[item] - used_[item];
        const Index p = position(item);
        surplus_[p / kLanes].word[p % kLanes] = static_cast<Word>(std::max(need, Index{1}) - 1);
    }

    void choose(Index option, Word* live) {
        const Cover& cover = problem_.cover;
        for (std::int64_t k = cover.first[option]; k < cover.first[option + 1]; ++k) {
            const Index slot = problem_.slots[k];
            if (problem_.colored(slot)) {
                strike(live, slot);
                continue;
            }
            if (++used_[slot] == cover.upper[slot]) strike(live, slot);
            if (used_[slot] == cover.lower[slot]) set_closed(slot);
            if (cover.lower[slot] > 0) set_surplus(slot);
        }
    }

    void unchoose(Index option) {
        const Cover& cover = problem_.cover;
        for (std::int64_t k = cover.first[option]; k < cover.first[option + 1]; ++k) {
            const Index slot = problem_.slots[k];
            if (problem_.colored(slot)) continue;
            if (used_[slot] == cover.lower[slot] && used_[slot] > 0) set_open(slot);
            --used_[slot];
            if (cover.lower[slot] > 0) set_surplus(slot);
        }
    }

    // Begin a node: count it, note a solution, and decide on what to branch.
    void enter(Run& run) {
        const Word* here = live(stack_.size());
        ++run.nodes;
        std::size_t count = 0;
        for (std::size_t w = 0; w < words_; ++w) count += bits_in(here[w]);
        Key key = static_cast<Key>(count) << 32 | static_cast<Key>(kFree);
        if (open_count_ == 0)
            run.solution();
        else
            key = pick<0>(tables_->masks.data(), words_, here, open_.data(), blocks_,
                          tables_->any_surplus ? surplus_.data() : nullptr,
                          tuning_.near.at(open_count_));
        if (branches_of(key) <= 0) return;
        if (tuning_.endgame && count <= Endgame::kMostOptions && open_count_ <= Endgame::kMostOpen)
            return hand_over(here, run);
        const std::size_t item = item_in(key);
        const bool roomy = item == kFree || room(item) > 1;
        stack_.push_back({run.path.size(), item, roomy, branches_of(key), 0, 0});
        if (live_.size() < (stack_.size() + 1) * words_) live_.resize((stack_.size() + 1) * words_);
    }

    Index room(std::size_t position) const {
        const Index item = problem_.primaries[position];
        return problem_.cover.upper[item] - used_[item];
    }

    void hand_over(const Word* here, Run& run) {
        list_.clear();
        for (std::size_t w = 0; w < words_; ++w)
            for (Word rest = here[w]; rest; rest &= rest - 1)
                list_.push_back(static_cast<Index>(w * 64 + lowest(rest)));
        endgame_.search(list_, here, words_, tables_->rivals.data(), used_.data(), run);
    }

    // Move the top node to its next branch and prepare the live options below it. Returns false if
    // it had none left and was taken off.
    bool advance(Run& run) {
        Frame& node = stack_.back();
        Word* here = live(stack_.size() - 1);
        if (node.taken > 0) undo(node, here, run);
        if (node.taken == node.branches) {
            run.path.resize(node.mark);
            stack_.pop_back();
            return false;
        }
        const Index option = next_option(node, here);
        Word* below = here + words_;
        std::copy_n(here, words_, below);
        below[option / 64] &= ~(Word{1} << (option % 64));
        choose(option, below);
        run.updates += words_ * static_cast<std::size_t>(problem_.cover.first[option + 1] -
                                                         problem_.cover.first[option]);
        run.path.push_back(option);
        return true;
    }

    // Take back the branch at the end of the path; further branches do without it.
    void undo(const Frame& node, Word* here, Run& run) {
        const Index option = run.path.back();
        unchoose(option);
        run.path.pop_back();
        here[option / 64] &= ~(Word{1} << (option % 64));
        if (node.roomy) run.path.push_back(~option);
    }

    // The next option to branch on; there is one.
    Index next_option(Frame& node, const Word* here) const {
        const Word* mask = node.item == kFree ? nullptr : rivals(problem_.primaries[node.item]);
        for (;; ++node.word) {
            const Word rest = mask ? here[node.word] & mask[node.word] : here[node.word];
            if (!rest) continue;
            ++node.taken;
            return static_cast<Index>(node.word * 64 + lowest(rest));
        }
    }

    // Leave all branches not yet taken, the deepest first.
    void leave(Run& run) {
        for (; !stack_.empty(); stack_.pop_back()) {
            Frame& node = stack_.back();
            Word* here = live(stack_.size() - 1);
            if (node.taken > 0) undo(node, here, run);
            while (node.taken < node.branches) {
                const Index option = next_option(node, here);
                run.leave(option);
                here[option / 64] &= ~(Word{1} << (option % 64));
                if (node.roomy) run.path.push_back(~option);
            }
            run.path.resize(node.mark);
            run.divide(node.branches);
        }
    }

    const Problem& problem_;
    const Tuning& tuning_;
    const std::shared_ptr<const BitTables> tables_;
    Endgame endgame_;
    const std::size_t words_;     // words of a set of options
    const std::size_t blocks_;    // blocks of primary items
    std::vector<Block> surplus_;  // block of primary items -> need less one, in lanes
    std::vector<Index> used_;     // item -> number of chosen options
    std::vector<Word> open_;      // the primary items that need options
    std::size_t open_count_ = 0;
    std::vector<Word> live_;  // depth -> set of options
    std::vector<Frame> stack_;
    std::vector<Index> list_;  // scratch of hand_over
};

}  // namespace exactile::EXACTILE_ISA
