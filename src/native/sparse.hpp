// Exact cover on sparse sets ("dancing cells"), for models of any size.
//
// For every item, the live options that contain it form the first `live[i]` places of a block of
// `cells`; a place holds a node, that is, one membership of an option. Removing an option swaps
// each of its nodes behind the live part of its block. Restoring in reverse order needs no swap at
// all: the node to restore is the first one behind the live part. The same trick keeps the set
// `open` of items that still need options.

#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "endgame.hpp"
#include "ranks.hpp"

namespace exactile::EXACTILE_ISA {

class Sparse final : public Kernel {
public:
    Sparse(const Problem& problem, const Tuning& tuning)
        : problem_(problem),
          tuning_(tuning),
          cover_(problem.cover),
          endgame_(problem, tuning.prunings, tuning.near),
          ranks_(cover_.lower.size()) {
        const std::size_t nodes = cover_.members.size();
        const std::size_t items = cover_.lower.size();
        live_.assign(items, 0);
        for (const Index i : cover_.members) ++live_[i];
        block_.assign(items + 1, 0);
        for (std::size_t i = 0; i < items; ++i) block_[i + 1] = block_[i] + live_[i];
        cells_.resize(nodes);
        place_.resize(nodes);
        option_of_.resize(nodes);
        std::vector<std::int64_t> next(block_.begin(), block_.end() - 1);
        for (Index o = 0; o < cover_.options(); ++o)
            for (std::int64_t k = cover_.first[o]; k < cover_.first[o + 1]; ++k) {
                option_of_[k] = o;
                place_[k] = next[cover_.members[k]]++;
                cells_[place_[k]] = k;
            }
        is_live_.assign((problem.options() + 63) / 64, 0);
        for (Index o = 0; o < cover_.options(); ++o) flip(o);
        live_options_ = cover_.options();
        used_.assign(items, 0);
        for (Index i = 0; i < cover_.items(); ++i) {
            open_.push_back(i);
            open_place_.push_back(i);
        }
        open_count_ = items;
        for (Index i = 0; i < cover_.items(); ++i)
            if (cover_.lower[i] == 0) close_item(i);
        for (std::size_t p = 0; p < open_count_; ++p) ranks_.insert(open_[p], branches(open_[p]));
        for (Index i = 0; i < cover_.items(); ++i)
            if (cover_.upper[i] == 0) remove_all(i);
        trail_.clear();
    }

    std::unique_ptr<Kernel> another() const override {
        return std::make_unique<Sparse>(problem_, tuning_);
    }

    void search(const Path& prefix, Run& run) override {
        run.set_out();
        go_to(prefix, run);
        run.path = prefix;
        run.arrive();
        enter(run);
        std::uint64_t before = run.updates;
        while (!stack_.empty()) {
            const std::uint64_t done = run.updates - before;
            if (run.stop(static_cast<std::int64_t>(16 * done + open_count_))) {
                run.set_out();
                leave(run);
                run.arrive();
                break;
            }
            before = run.updates;
            if (advance(run)) enter(run);
        }
    }

private:
    static constexpr Index kNone = -1;
    static constexpr Index kFree = -2;  // no item is open: any option is a branch

    struct Frame {
        std::size_t mark;         // length of the path above the node
        std::size_t node_mark;    // trail size when the node was entered
        std::size_t choice_mark;  // trail size before the present choice
        std::size_t first;        // its branches are the options branches_[first .. last)
        std::size_t last;
        std::size_t next;
        bool roomy;  // they do not rule out each other
    };

    // Move to the node of a prefix from that of the last one. What was left at a stop deep in a
    // tree is searched in order, so that most of the way is the same.
    void go_to(const Path& prefix, Run& run) {
        const auto end = standing_.begin() +
                         static_cast<std::ptrdiff_t>(std::min(standing_.size(), prefix.size()));
        const auto fork = std::mismatch(standing_.begin(), end, prefix.begin());
        const auto common = static_cast<std::size_t>(fork.first - standing_.begin());
        while (standing_.size() > common) {
            if (standing_.back() >= 0) unchoose(standing_.back());
            undo_to(marks_.back());
            standing_.pop_back();
            marks_.pop_back();
        }
        const std::size_t before = trail_.size();
        for (auto move = fork.second; move != prefix.end(); ++move) follow(*move);
        run.updates += trail_.size() - before;
    }

    void follow(Index move) {
        const Index option = move < 0 ? ~move : move;
        if (option >= cover_.options() || !(is_live_[option / 64] >> (option % 64) & 1))
            throw std::invalid_argument("the prefix contradicts itself at option " +
                                        std::to_string(option));
        standing_.push_back(move);
        marks_.push_back(trail_.size());
        if (move >= 0)
            choose(option);
        else
            remove(option);
    }

    void flip(Index option) { is_live_[option / 64] ^= Word{1} << (option % 64); }

    void remove(Index option) {
        for (std::int64_t k = cover_.first[option]; k < cover_.first[option + 1]; ++k) {
            const Index i = cover_.members[k];
            if (need(i) > 0) ranks_.move(i, branches(i), branches(i) - 1);
            const std::int64_t last = block_[i] + --live_[i];
            const std::int64_t other = cells_[last];
            const std::int64_t place = place_[k];
            cells_[place] = other;
            place_[other] = place;
            cells_[last] = k;
            place_[k] = last;
        }
        flip(option);
        --live_options_;
        trail_.push_back(option);
    }

    void restore(Index option) {
        for (std::int64_t k = cover_.first[option + 1] - 1; k >= cover_.first[option]; --k) {
            const Index i = cover_.members[k];
            if (need(i) > 0) ranks_.move(i, branches(i), branches(i) + 1);
            ++live_[i];
        }
        flip(option);
        ++live_options_;
    }

    void undo_to(std::size_t mark) {
        for (; trail_.size() > mark; trail_.pop_back()) restore(trail_.back());
    }

    Index option_at(Index item, Index place) const {
        return option_of_[cells_[block_[item] + place]];
    }

    void remove_all(Index item) {
        while (live_[item] > 0) remove(option_at(item, live_[item] - 1));
    }

    // Remove the options that give the item another color, or none.
    void remove_other_colors(Index item, Index color) {
        for (Index place = live_[item] - 1; place >= 0; --place) {
            const std::int64_t node = cells_[block_[item] + place];
            if (cover_.colors[node] != color) remove(option_of_[node]);
        }
    }

    void close_item(Index item) {
        const Index last = open_[--open_count_];
        const Index place = open_place_[item];
        open_[place] = last;
        open_place_[last] = place;
        open_[open_count_] = item;
        open_place_[item] = static_cast<Index>(open_count_);
    }

    // Use every item of the option once; the options of an item that is used up are removed.
    void choose(Index option) {
        remove(option);
        for (std::int64_t k = cover_.first[option]; k < cover_.first[option + 1]; ++k) {
            const Index i = cover_.members[k];
            if (cover_.colors[k] > 0) {
                remove_other_colors(i, cover_.colors[k]);
                continue;
            }
            if (need(i) > 0) ranks_.erase(i, branches(i));
            if (++used_[i] == cover_.lower[i]) close_item(i);
            if (need(i) > 0) ranks_.insert(i, branches(i));
            if (used_[i] == cover_.upper[i]) remove_all(i);
        }
    }

    void unchoose(Index option) {
        for (std::int64_t k = cover_.first[option + 1] - 1; k >= cover_.first[option]; --k) {
            const Index i = cover_.members[k];
            if (cover_.colors[k] > 0) continue;
            if (need(i) > 0) ranks_.erase(i, branches(i));
            if (used_[i]-- == cover_.lower[i])
                ++open_count_;  // the item closed last is the first behind the open ones
            if (need(i) > 0) ranks_.insert(i, branches(i));
        }
    }

    Index need(Index item) const { return cover_.lower[item] - used_[item]; }  // 0 if not open
    Index branches(Index item) const { return live_[item] - need(item) + 1; }

    // The open item with the fewest branches, the lowest number among equals and those that are
    // near enough; kFree if none is open, kNone if one has no branches.
    Index pick_item() const {
        const Index near = tuning_.near.at(open_count_);
        const Index ranked = ranks_.pick(near);
        if (ranked == Ranks::kStuck) return kNone;
        if (ranked != Ranks::kUnknown) return ranked;
        Index best = kFree;  // all have more than one branch
        Index fewest = std::numeric_limits<Index>::max();
        for (std::size_t p = 0; p < open_count_; ++p) {
            const Index i = open_[p];
            const Index count = std::max(branches(i), near);
            if (count < fewest || (count == fewest && i < best)) {
                best = i;
                fewest = count;
            }
        }
        return best;
    }

    // Begin a node: count it, note a solution, and decide on what to branch.
    void enter(Run& run) {
        ++run.nodes;
        const Index item = pick_item();
        if (item == kFree) run.solution();
        if (item == kNone || live_options_ == 0) return;
        if (tuning_.endgame && live_options_ <= static_cast<Index>(Endgame::kMostOptions) &&
            open_count_ <= Endgame::kMostOpen)
            return hand_over(run);
        const std::size_t first = branches_.size();
        std::size_t count;
        if (item == kFree) {
            collect_live(branches_);
            count = branches_.size() - first;
        } else {
            for (Index place = 0; place < live_[item]; ++place)
                branches_.push_back(option_at(item, place));
            count = static_cast<std::size_t>(branches(item));
        }
        std::sort(branches_.begin() + static_cast<std::ptrdiff_t>(first), branches_.end());
        branches_.resize(first + count);  // behind these too few would be left to meet the need
        const bool roomy = item == kFree || cover_.upper[item] - used_[item] > 1;
        stack_.push_back(
            {run.path.size(), trail_.size(), trail_.size(), first, first + count, first, roomy});
    }

    void collect_live(std::vector<Index>& list) const {
        for (std::size_t w = 0; w < is_live_.size(); ++w)
            for (Word rest = is_live_[w]; rest; rest &= rest - 1)
                list.push_back(static_cast<Index>(w * 64 + lowest(rest)));
    }

    void hand_over(Run& run) {
        list_.clear();
        collect_live(list_);
        endgame_.search(list_, used_.data(), run);
    }

    // Move the top node to its next branch. Returns false if it had none left and was taken off.
    bool advance(Run& run) {
        Frame& node = stack_.back();
        take_back(node, run);
        if (node.next == node.last) {
            close(run);
            return false;
        }
        const Index option = branches_[node.next++];
        const std::size_t before = trail_.size();
        choose(option);
        run.updates += trail_.size() - before;
        run.path.push_back(option);
        return true;
    }

    // Undo the present choice, if there is one; further branches do without it.
    void take_back(Frame& node, Run& run) {
        if (node.next == node.first) return;
        const Index option = run.path.back();
        unchoose(option);
        undo_to(node.choice_mark);
        run.path.pop_back();
        if (!node.roomy) return;
        run.path.push_back(~option);
        remove(option);
        node.choice_mark = trail_.size();
    }

    void close(Run& run) {
        const Frame& node = stack_.back();
        undo_to(node.node_mark);
        run.path.resize(node.mark);
        branches_.resize(node.first);
        stack_.pop_back();
    }

    // Leave all branches not yet taken, the deepest first.
    void leave(Run& run) {
        while (!stack_.empty()) {
            Frame& node = stack_.back();
            take_back(node, run);
            for (; node.next != node.last; ++node.next) {
                run.leave(branches_[node.next]);
                if (node.roomy) run.path.push_back(~branches_[node.next]);
            }
            run.divide(static_cast<std::int64_t>(node.last - node.first));
            close(run);
        }
    }

    const Problem& problem_;
    const Tuning& tuning_;
    const Cover& cover_;
    Endgame endgame_;
    Ranks ranks_;                      // the open items with few branches
    std::vector<Index> option_of_;     // node -> option
    std::vector<std::int64_t> block_;  // item -> start of its block in cells_
    std::vector<std::int64_t> cells_;  // place -> node
    std::vector<std::int64_t> place_;  // node -> place
    std::vector<Index> live_;          // item -> number of live options
    std::vector<Word> is_live_;        // the live options as bits
    std::vector<Index> used_;          // item -> number of chosen options
    std::vector<Index> open_;          // items with need > 0, first open_count_ places
    std::vector<Index> open_place_;
    std::size_t open_count_ = 0;
    Index live_options_ = 0;
    Path standing_;                   // the prefix searched last: its moves are still made
    std::vector<std::size_t> marks_;  // move of it -> trail size before it was made
    std::vector<Index> trail_;        // removed options, in order
    std::vector<Index> branches_;     // of all frames
    std::vector<Index> list_;         // scratch of hand_over
    std::vector<Frame> stack_;
};

}  // namespace exactile::EXACTILE_ISA
