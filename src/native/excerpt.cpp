#include "excerpt.hpp"

#include <algorithm>
#include <limits>
#include <memory>

#include "search.hpp"

namespace exactile {

namespace {

// Bits are used up to this number of words of all items' masks, sparse sets beyond.
constexpr std::size_t kMostWords = std::size_t{1} << 19;

// What a node, and an option removed, cost beside a word of bits; roughly.
constexpr std::uint64_t kNodeOfBits = 8;
constexpr std::uint64_t kUpdateOfSparse = 5;

}  // namespace

void Excerpt::begin(const std::vector<Index>& items) {
    for (const Index item : items_)
        if (item != kAbsent) local_[item] = kAbsent;
    items_.clear();
    original_.clear();
    cover_ = Cover{};
    cover_.first.push_back(0);
    for (const Index item : items) number(item);
}

Index Excerpt::number(Index item) {
    Index& place = local_[item];
    if (place == kAbsent) {
        place = add_item(whole_.lower[item], whole_.upper[item]);
        items_.back() = item;
    }
    return place;
}

Index Excerpt::add_item(Index lower, Index upper) {
    items_.push_back(kAbsent);
    cover_.lower.push_back(lower);
    cover_.upper.push_back(upper);
    return static_cast<Index>(items_.size()) - 1;
}

void Excerpt::bound(Index item, Index lower, Index upper) {
    cover_.lower[local_[item]] = std::max(lower, Index{0});
    cover_.upper[local_[item]] = upper;
}

void Excerpt::bound_all(const std::vector<Index>& used) {
    for (const Index item : items_)
        // Where an item with bounds 0..1 still has options, it is not used, or they have its color.
        if (item != kAbsent && (whole_.lower[item] != 0 || whole_.upper[item] != 1))
            bound(item, whole_.lower[item] - used[item], whole_.upper[item] - used[item]);
}

std::vector<std::vector<Index>> Excerpt::search(const Tuning& given, std::int64_t solutions,
                                                std::uint64_t& nodes,
                                                const std::atomic<bool>& stop) {
    const Problem problem(cover_);
    Tuning tuning = given;
    const std::size_t words =
        static_cast<std::size_t>(problem.slot_count()) * ((problem.options() + 63) / 64);
    tuning.method = words <= kMostWords ? Method::kBits : Method::kSparse;
    const std::unique_ptr<Kernel> kernel = make_kernel(problem, tuning);
    Run run;
    run.node_limit = nodes;
    run.solution_limit = solutions;
    run.wanted = &stop;
    kernel->search({}, run);
    nodes = run.nodes;
    work_ = tuning.method == Method::kBits
                ? run.updates + kNodeOfBits * run.nodes
                : kUpdateOfSparse * run.updates + cover_.lower.size() / 8 * run.nodes;
    exhausted_ = run.left.empty();
    std::vector<std::vector<Index>> found;
    std::size_t begin = 0;
    for (const std::size_t end : run.found.ends) {
        found.emplace_back();
        for (; begin < end; ++begin)
            if (run.found.moves[begin] >= 0)
                found.back().push_back(original_[run.found.moves[begin]]);
    }
    return found;
}

}  // namespace exactile
