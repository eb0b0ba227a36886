// Uses of the lists of a frontier beyond the number of solutions: each solution by its number, how
// many solutions contain each option, and how many use the supply in which way.

#include <algorithm>
#include <new>
#include <stdexcept>
#include <utility>

#include "front_count.hpp"

namespace exactile {

void FrontCounter::demand_kept() const {
    if (status_ != Status::done || !limits_.keep)
        throw std::logic_error("the counter has not finished, or kept no lists");
}

// The same number with other limbs, which are enough.
static std::vector<Limb> with_limbs(Limbs number, std::size_t limbs) {
    std::vector<Limb> same(limbs);
    std::copy_n(number.at, std::min(number.size, limbs), same.begin());
    return same;
}

// Whether a number is in the next `part`; if it is not, the part is taken away from it.
static bool within(std::vector<Limb>& rest, const std::vector<Limb>& part) {
    if (less_limbs(rest.data(), part.data(), rest.size())) return true;
    subtract_limbs(rest.data(), part.data(), rest.size());
    return false;
}

// Solutions are in the order of the nodes behind the cut, of the edges to them from before it, and
// of the keys of each edge. Those of a key are a rectangle: ways to it times ways from it.
std::vector<Index> FrontCounter::unrank(const Limb* number) {
    demand_kept();
    const std::size_t limbs = total_.size();
    if (!less_limbs(number, total_.data(), limbs))
        throw std::out_of_range("there is no solution of this number");
    std::vector<Limb> rest(number, number + limbs);
    std::vector<Index> solution;
    if (one_sided_) {
        Key found = 0;
        bool looking = true;
        each_number(*front_, *store_, Side::forward, end(), [&](Key key, Limbs count) {
            if (!looking || !front_->supply.sufficient(key)) return;
            found = key;
            looking = !within(rest, with_limbs(count, limbs));
        });
        walk(Side::forward, end(), found, std::move(rest), solution);
    } else {
        std::size_t place = 0;
        while (!within(rest, with_limbs(joined_[place], limbs))) ++place;
        const std::uint32_t node = joined_nodes_[place];
        Worker& worker = *workers_[0];
        worker.open(node);
        std::uint64_t edge = front_->in.first[node];
        for (;; ++edge) {
            const std::vector<Limb> sum = worker.joined(edge);
            if (within(rest, with_limbs({sum.data(), sum.size()}, limbs))) break;
        }
        const std::uint32_t before = front_->in.node[edge];
        const Label& label = front_->label(front_->in, edge);
        Key found = 0;
        bool looking = true;
        std::vector<Limb> behind(limbs), product(limbs), behind_found;
        each_number(*front_, *store_, Side::forward, before, [&](Key key, Limbs count) {
            if (!looking || !label.fits(key)) return;
            find_number(*front_, *store_, Side::backward, node,
                        front_->supply.full() - key - label.add, behind);
            if (is_zero(behind.data(), limbs)) return;
            std::fill(product.begin(), product.end(), 0);
            add_product(product.data(), with_limbs(count, limbs).data(), behind.data(), limbs);
            looking = !within(rest, product);
            found = key;
        });
        find_number(*front_, *store_, Side::backward, node,
                    front_->supply.full() - found - label.add, behind);
        std::vector<Limb> row(limbs);
        divide_limbs(rest.data(), behind.data(), row.data(), limbs);
        walk(Side::forward, before, found, std::move(row), solution);
        solution.push_back(option_of_[front_->in.mark[edge]]);
        walk(Side::backward, node, front_->supply.full() - found - label.add, std::move(rest),
             solution);
    }
    solution.erase(std::remove(solution.begin(), solution.end(), -1), solution.end());
    std::sort(solution.begin(), solution.end());
    return solution;
}

// Take the way of a number among those that a node's list counts for a key, to the start or to the
// end.
void FrontCounter::walk(Side side, std::uint32_t node, Key key, std::vector<Limb> rest,
                        std::vector<Index>& solution) const {
    const Edges& edges = side == Side::forward ? front_->in : front_->out;
    std::vector<Limb> ways(rest.size());
    while (edges.first[node] < edges.first[node + 1]) {
        std::uint64_t edge = edges.first[node];
        for (;; ++edge) {
            if (edge == edges.first[node + 1]) throw std::logic_error("the lists contradict");
            const Label& label = front_->label(edges, edge);
            if (!label.contained(key)) continue;
            find_number(*front_, *store_, side, edges.node[edge], key - label.add, ways);
            if (within(rest, ways)) break;
        }
        solution.push_back(option_of_[edges.mark[edge]]);
        key -= front_->label(edges, edge).add;
        node = edges.node[edge];
    }
}

// Both sides go on to the other end; then all edges are joined.
bool FrontCounter::tally(double seconds) {
    demand_kept();
    const Clock::time_point deadline = deadline_in(seconds);
    while (!tallied_) {
        if (task_ == Task::nothing) begin_tally();
        if (task_ != Task::nothing) work_on_level(deadline);
        if (status_ == Status::out_of_memory) throw std::bad_alloc();
        if (Clock::now() >= deadline) break;
    }
    return tallied_;
}

void FrontCounter::begin_tally() {
    if (front_->nodes() == 0) {
        tallied_ = true;
    } else if (forward_ < levels_.size()) {
        begin_lists(Task::forward);
    } else if (backward_ == levels_.size()) {  // what may be left over is what is left over
        std::vector<Key> rests;
        each_number(*front_, *store_, Side::forward, end(), [&](Key key, Limbs) {
            if (front_->supply.sufficient(key)) rests.push_back(front_->supply.full() - key);
        });
        if (!rests.empty()) put_ones(Side::backward, end(), std::move(rests));
        --backward_;
    } else if (backward_ > 0) {
        begin_lists(Task::backward);
    } else {
        task_ = Task::tally;
        next_ = 0;
        front_->whole = true;
        queue_.resize(front_->nodes());
        for (std::uint32_t u = 0; u < front_->nodes(); ++u) queue_[u] = u;
    }
}

void FrontCounter::finish_tally() {
    for (const auto& worker : workers_) {
        const Sums sums = std::exchange(worker->sums(), Sums());
        for (std::size_t mark = 0; mark < sums.size(); ++mark)
            if (option_of_[mark] >= 0)
                tallies_.add(static_cast<std::size_t>(option_of_[mark]), sums[mark]);
    }
    front_->whole = false;
    task_ = Task::nothing;
    tallied_ = true;
}

void FrontCounter::by_uses(
    const std::function<void(const std::vector<std::uint64_t>&, Limbs)>& use) const {
    if (status_ != Status::done || !limits_.one_sided)
        throw std::logic_error("the counter has not finished, or is not one-sided");
    if (front_->nodes() == 0) return;
    std::vector<std::uint64_t> uses(items_);
    each_number(*front_, *store_, Side::forward, end(), [&](Key key, Limbs count) {
        if (!front_->supply.sufficient(key)) return;
        for (std::size_t k = 0; k < item_of_.size(); ++k)
            uses[static_cast<std::size_t>(item_of_[k])] = front_->supply.uses(k, key);
        use(uses, count);
    });
}

}  // namespace exactile
