#include "peg_find.hpp"

#include <algorithm>
#include <numeric>
#include <stdexcept>
#include <utility>

#include "peg_slice.hpp"

namespace exactile {

PegFinder::PegFinder(PegBoard board, Position start, std::vector<Position> goals,
                     std::uint64_t most_bytes)
    : board_(std::move(board)),
      goals_(std::move(goals)),
      start_(start),
      most_bytes_(most_bytes),
      order_(board_.jumps().size()) {
    std::iota(order_.begin(), order_.end(), 0);
    length_ = jumps_between(board_, start, goals_);
    std::sort(goals_.begin(), goals_.end());
    if (length_ >= 0) nodes_open_.push_back({start, 0, false});
}

void PegFinder::restart(const std::vector<std::uint32_t>& order) {
    std::vector<std::uint32_t> sorted(order);
    std::sort(sorted.begin(), sorted.end());
    for (std::size_t k = 0; k < sorted.size(); ++k)
        if (sorted[k] != k) throw std::invalid_argument("an order has every jump once");
    if (sorted.size() != order_.size()) throw std::invalid_argument("an order has every jump once");
    if (found_so_far_ > 0) throw std::logic_error("sequences would be found again");
    if (status_ != PegStatus::running) return;
    order_ = order;
    path_.clear();
    nodes_open_.clear();
    if (length_ >= 0) nodes_open_.push_back({start_, 0, false});
}

PegStatus PegFinder::step() {
    if (nodes_open_.empty()) return PegStatus::done;
    Node& node = nodes_open_.back();
    const auto depth = static_cast<int>(nodes_open_.size()) - 1;
    const std::vector<Jump>& jumps = board_.jumps();
    if (depth < length_) {
        while (node.k < jumps.size() && !jumps[order_[node.k]].allowed(node.p)) ++node.k;
        if (node.k < jumps.size()) {
            const std::uint32_t jump = order_[node.k++];
            const Position q = jumps[jump].after(node.p);
            path_.push_back(static_cast<std::int32_t>(jump));
            nodes_open_.push_back({q, 0, false});
            ++nodes_;
            const bool dead = dead_.level_of(board_.canonical(q)) != PositionSet::kNowhere;
            if (dead) {
                nodes_open_.pop_back();
                path_.pop_back();
            }
            return PegStatus::running;
        }
    } else if (std::binary_search(goals_.begin(), goals_.end(), node.p)) {
        found_.insert(found_.end(), path_.begin(), path_.end());
        ++waiting_;
        ++found_so_far_;
        node.found = true;
    }
    const bool found = node.found;
    if (!found) dead_.insert(board_.canonical(node.p));
    nodes_open_.pop_back();
    if (!nodes_open_.empty()) {
        nodes_open_.back().found |= found;
        path_.pop_back();
    }
    return dead_.bytes() <= most_bytes_ ? PegStatus::running : PegStatus::out_of_memory;
}

PegStatus PegFinder::run(double seconds, std::size_t limit, std::uint64_t most_nodes) {
    const auto enough = [&] { return waiting_ >= limit || nodes_ >= most_nodes; };
    if (enough()) return status_;
    PegStatus status = status_;
    run_in_slices(status, seconds, [&] {
        status_ = step();
        return enough() ? PegStatus::done : status_;
    });
    if (status == PegStatus::out_of_memory) status_ = status;
    return status_;
}

std::vector<std::int32_t> PegFinder::take() {
    waiting_ = 0;
    return std::exchange(found_, {});
}

}  // namespace exactile
