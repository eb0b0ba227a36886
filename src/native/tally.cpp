#include "tally.hpp"

#include <algorithm>
#include <cstdlib>
#include <stdexcept>
#include <utility>

#include "deadline.hpp"

namespace exactile {

static constexpr std::size_t kLargestGrid = std::size_t{1} << 28;

// Within these bounds no sum over a form overflows.
static constexpr int kLargestOrder = 64;
static constexpr int kLargestRadius = 1 << 16;

FormTally::FormTally(GrowthLattice lattice, int order)
    : lattice_(std::move(lattice)), order_(static_cast<std::size_t>(order)) {
    lattice_.check();
    if (order < 1 || order > kLargestOrder)
        throw std::invalid_argument("the order is out of range");
    const int d = lattice_.dimension;
    for (const auto& steps : lattice_.steps)
        for (std::size_t s = 0; s < steps.size(); ++s) {
            int& radius = radius_[s % static_cast<std::size_t>(d)];
            radius = std::max(radius, (order - 1) * std::abs(steps[s]));
            if (radius > kLargestRadius) throw std::length_error("a form reaches too far");
        }
    std::size_t size = 1;
    for (int k = d - 1; k >= 0; --k) {  // lexicographic: the first coordinate counts most
        stride_[k] = static_cast<std::ptrdiff_t>(size);
        size *= 2 * static_cast<std::size_t>(radius_[k]) + 1;
        if (size > kLargestGrid) throw std::length_error("too many units to be reached");
    }
    grid_.assign(size, Mark::kNew);
    steps_.resize(lattice_.types.size());
    for (std::size_t residue = 0; residue < steps_.size(); ++residue) {
        if (lattice_.types[residue] < 0) continue;
        const auto& offsets = lattice_.steps[static_cast<std::size_t>(lattice_.types[residue])];
        for (std::size_t s = 0; s < offsets.size(); s += static_cast<std::size_t>(d)) {
            Step step{};
            for (int k = 0; k < d; ++k) {
                step.by[k] = offsets[s + static_cast<std::size_t>(k)];
                step.index += stride_[k] * step.by[k];
            }
            steps_[residue].push_back(step);
        }
    }
    done_ = !begin();
}

bool FormTally::run(double seconds) {
    constexpr std::uint64_t kStepsPerCheck = 4096;
    const Clock::time_point deadline = deadline_in(seconds);
    for (std::uint64_t steps = 1; !done_; ++steps) {
        step();
        if (steps % kStepsPerCheck == 0 && Clock::now() >= deadline) break;
    }
    return done_;
}

std::uint64_t FormTally::forms() const {
    const std::size_t d = static_cast<std::size_t>(lattice_.dimension);
    const std::uint64_t matrices = lattice_.matrices.size() / (d * d);
    if (!done_ || weight_ % matrices != 0)
        throw std::logic_error("the forms are not counted, or the matrices are no group");
    return weight_ / matrices;
}

bool FormTally::begin() {
    std::fill(grid_.begin(), grid_.end(), Mark::kNew);
    while (residue_ < steps_.size() && lattice_.types[residue_] < 0) ++residue_;
    if (residue_ == steps_.size()) return false;
    least_ = Site{0, residue_, {0, 0, 0}};
    for (int k = 0, rest = static_cast<int>(residue_); k < lattice_.dimension; ++k) {
        least_.at[k] = rest % lattice_.period;
        rest /= lattice_.period;
        least_.index += static_cast<std::size_t>(stride_[k] * radius_[k]);
    }
    ++residue_;
    grid_[least_.index] = Mark::kReached;
    sites_ = {least_};
    levels_ = {{0, 1}};
    return true;
}

// Join the next site, or leave a level without one. A site that was joined and left stays reached,
// so that no form of the rest has it.
void FormTally::step() {
    Level& level = levels_.back();
    if (level.next == level.end) {
        leave();
        return;
    }
    const Site site = sites_[level.next++];
    grid_[site.index] = Mark::kJoined;
    joined_.push_back(site);
    if (joined_.size() < order_) {
        reach(site);
        levels_.push_back({level.next, sites_.size()});
        return;
    }
    tally();
    grid_[site.index] = Mark::kReached;
    joined_.pop_back();
}

void FormTally::reach(const Site& site) {
    for (const Step& step : steps_[site.residue]) {
        const std::size_t index = site.index + static_cast<std::size_t>(step.index);
        if (index < least_.index || grid_[index] != Mark::kNew) continue;
        grid_[index] = Mark::kReached;
        Site other{index, 0, {0, 0, 0}};
        for (int k = 0; k < lattice_.dimension; ++k) other.at[k] = site.at[k] + step.by[k];
        other.residue = lattice_.residue_of(other.at);
        sites_.push_back(other);
    }
}

void FormTally::leave() {
    levels_.pop_back();
    if (levels_.empty()) {
        done_ = !begin();
        return;
    }
    for (std::size_t k = levels_.back().end; k < sites_.size(); ++k)
        grid_[sites_[k].index] = Mark::kNew;
    sites_.resize(levels_.back().end);
    grid_[joined_.back().index] = Mark::kReached;
    joined_.pop_back();
}

void FormTally::tally() {
    ++met_;
    const std::size_t d = static_cast<std::size_t>(lattice_.dimension);
    int sum[3] = {0, 0, 0};
    for (const Site& site : joined_)
        for (std::size_t k = 0; k < d; ++k) sum[k] += site.at[k];
    for (std::size_t m = 0; m < lattice_.matrices.size(); m += d * d)
        weight_ += is_mapped(lattice_.matrices.data() + m, sum);
}

// Whether a matrix and a translation map the form to itself: they map the center to itself, which
// determines the translation.
bool FormTally::is_mapped(const int* matrix, const int* sum) const {
    const int d = lattice_.dimension, order = static_cast<int>(order_);
    int shift[3] = {0, 0, 0};
    for (int row = 0; row < d; ++row) {
        int moved = 0;
        for (int k = 0; k < d; ++k) moved += matrix[row * d + k] * sum[k];
        if ((sum[row] - moved) % (order * lattice_.period) != 0) return false;
        shift[row] = (sum[row] - moved) / order;
    }
    for (const Site& site : joined_) {
        std::ptrdiff_t index = 0;
        for (int row = 0; row < d; ++row) {
            int moved = shift[row];
            for (int k = 0; k < d; ++k) moved += matrix[row * d + k] * site.at[k];
            const int from_least = moved - least_.at[row];
            if (std::abs(from_least) > radius_[row]) return false;
            index += stride_[row] * (from_least + radius_[row]);
        }
        if (grid_[static_cast<std::size_t>(index)] != Mark::kJoined) return false;
    }
    return true;
}

}  // namespace exactile
