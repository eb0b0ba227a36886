#include "ground.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>

namespace exactile {

Ground::Ground(Cover given, const std::vector<std::uint8_t>& piece, std::vector<std::int64_t> first,
               std::vector<Index> others)
    : problem(std::move(given)),
      piece_(piece),
      first_(std::move(first)),
      others_(std::move(others)) {
    const auto items = static_cast<std::size_t>(cover().items());
    if (piece_.size() != items) throw std::invalid_argument("a piece or not: say so of every item");
    if (first_.size() != items + 1 || first_.front() != 0 ||
        first_.back() != static_cast<std::int64_t>(others_.size()) ||
        !std::is_sorted(first_.begin(), first_.end()))
        throw std::invalid_argument("the boundaries of neighbors do not span them");
    for (const Index other : others_)
        if (other < 0 || other >= cover().items())
            throw std::invalid_argument("a neighbor is not an item");
    unit_.assign(items, 0);
    for (Index i = 0; i < cover().items(); ++i) {
        unit_[i] = !is_piece(i) && cover().lower[i] == 1 && cover().upper[i] == 1;
        if (is_unit(i))
            units_.push_back(i);
        else if (cover().lower[i] > 0)
            demands_.push_back(i);
    }
    std::vector<double> options(items, 0);
    for (const Index item : cover().members) ++options[item];
    rarity_.assign(items, 0);
    for (std::size_t i = 0; i < items; ++i)
        if (piece_[i] && options[i] > 0) rarity_[i] = -std::log(options[i]);
}

double Ground::awkwardness(Index option) const {
    double sum = 0;
    for (const Index item : members(option)) sum += rarity_[item];
    return sum;
}

void Ground::check_order(const std::vector<Index>& order) const {
    std::vector<Index> sorted(order);
    std::sort(sorted.begin(), sorted.end());
    if (sorted != units_) throw std::invalid_argument("the order is not one of all units");
}

bool Ground::fits(const std::vector<Index>& options, bool whole) const {
    std::vector<Index> used(cover().lower.size(), 0), color(used);
    for (const Index option : options)
        for (std::int64_t k = cover().first[option]; k < cover().first[option + 1]; ++k) {
            const Index item = cover().members[k];
            const Index paint = cover().colors[k];
            if (used[item] > 0 && (paint > 0 || color[item] > 0)) {
                if (paint != color[item]) return false;
            } else if (++used[item] > cover().upper[item]) {
                return false;
            }
            color[item] = paint;
        }
    for (Index i = 0; whole && i < cover().items(); ++i)
        if (used[i] < cover().lower[i]) return false;
    return true;
}

bool Ground::solves(const std::vector<Index>& options) const { return fits(options, true); }

void Ground::offer(const std::vector<Index>& options) {
    Index filled = 0;
    for (const Index option : options)
        for (const Index item : members(option)) filled += is_unit(item);
    const std::scoped_lock lock(mutex_);
    if (filled <= best_.filled || !fits(options, false)) return;
    best_ = {options, filled};
}

Ground::Packing Ground::best() const {
    const std::scoped_lock lock(mutex_);
    return best_;
}

}  // namespace exactile
