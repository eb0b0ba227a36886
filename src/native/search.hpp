// The input and output of a search: prefixes, limits, solutions.
//
// The tree. At a node, take the open item (one that still needs options) with the fewest branches,
//     live options - need + 1,
// the lowest number among equals. Its live options, in increasing order, are the branches. A
// branch chooses its option; where the item may be used again, it also excludes the options of
// earlier branches, so that no set of options is met twice. A node without open items is a
// solution; if options are still live, each of them is a branch in the same way.
//
// Both kernels search this same tree in the same order, so that any part of it can be searched by
// either, at any time: a prefix names the part.

#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <vector>

#include "cover.hpp"
#include "deadline.hpp"

namespace exactile {

// The way from the root to a node: o is the choice of option o, ~o its exclusion.
using Path = std::vector<Index>;

struct Prefix {
    Path path;
    double weight = 1.0;  // product of 1 / (number of branches) along the way
};

// A prefix that shares the beginning of its path with others: thousands are left at a stop deep in
// a tree, all along the way to one node.
struct Left {
    std::shared_ptr<const Path> trunk;
    std::size_t shared = 0;  // number of moves taken from the trunk
    Path rest;
    double weight = 1.0;

    std::size_t size() const { return shared + rest.size(); }
    Index operator[](std::size_t k) const { return k < shared ? (*trunk)[k] : rest[k - shared]; }
    Path path() const;
};

// Whether the subtree of `a` is searched before that of `b`; both are paths, which are known to
// begin with `equal` equal moves.
template <typename A, typename B>
bool comes_before(const A& a, const B& b, std::size_t equal = 0) {
    const std::size_t common = std::min(a.size(), b.size());
    for (std::size_t k = equal; k < common; ++k) {
        if (a[k] == b[k]) continue;
        // Where one goes on without an option, the other has chosen it before.
        if ((a[k] < 0) != (b[k] < 0)) return b[k] < 0;
        return a[k] < b[k];
    }
    return a.size() < b.size();
}

// The same of what was left at one stop, all along the way to one node: it differs at the end only.
inline bool comes_before(const Left& a, const Left& b) {
    return comes_before(a, b, a.trunk == b.trunk ? std::min(a.shared, b.shared) : 0);
}

// Paths one after the other; the k-th ends at ends[k].
struct Paths {
    std::vector<Index> moves;
    std::vector<std::size_t> ends;

    void add(const Path& path) {
        moves.insert(moves.end(), path.begin(), path.end());
        ends.push_back(moves.size());
    }
};

// One stretch of searching: its limits, its counters, and what it found and left.
//
// A kernel that sees stop() true returns at once, after it has left every branch that it did not
// enter, the next one in order first.
class Run {
public:
    std::uint64_t node_limit = std::numeric_limits<std::uint64_t>::max();
    std::int64_t solution_limit = std::numeric_limits<std::int64_t>::max();
    Clock::time_point deadline = Clock::time_point::max();
    const std::atomic<bool>* wanted = nullptr;           // set by workers that wait for work
    const std::function<bool()>* interrupted = nullptr;  // polled; true ends the run
    bool keep = true;                                    // solutions, or only their number

    bool ended = false;  // by `interrupted`
    std::uint64_t nodes = 0;
    std::uint64_t updates = 0;
    std::int64_t count = 0;
    Paths found;
    std::vector<Left> left;
    Path path;  // the way to the present node

    // Longest time, in seconds, from the root or the last prefix to the node of a prefix, or for
    // writing down what is left.
    double slowest_replay = 0;

    // A kernel calls the first before it goes to a node or writes down the rest, the second after.
    void set_out() { set_out_ = Clock::now(); }
    void arrive() { slowest_replay = std::max(slowest_replay, seconds_since(set_out_)); }

    void solution() {
        if (keep) found.add(path);
        if (++count >= solution_limit) stopping_ = true;
    }

    // Whether to stop at this node; `work` is a measure of time since the last call, in words of
    // bits. It may be 0, where no item is open.
    bool stop(std::int64_t work) {
        if ((fuel_ -= work + kWorkOfNode) < 0) look();
        if (nodes >= node_limit) stopping_ = true;
        return stopping_;
    }
    bool stopped() const { return stopping_; }
    void go_on() {
        stopping_ = false;
        trunk_.reset();
    }
    bool spent() const { return nodes >= node_limit || count >= solution_limit; }

    // Leave the branch that chooses an option at the present node.
    void leave(Index option);
    // Every branch left so far lies below a node that has this number of branches.
    void divide(std::int64_t branches);

private:
    // Words of bits between two readings of the clock, well below a millisecond.
    static constexpr std::int64_t kWorkPerLook = 1 << 18;
    static constexpr std::int64_t kWorkOfNode = 64;
    static constexpr double kPatience = 0.05;  // seconds between two questions

    void look();

    bool stopping_ = false;
    std::int64_t fuel_ = kWorkPerLook;
    std::shared_ptr<const Path> trunk_;  // the path when the first branch was left
    Clock::time_point set_out_;
    Clock::time_point next_question_ = deadline_in(kPatience);
};

// A search method. Each thread has a kernel of its own.
class Kernel {
public:
    virtual ~Kernel() = default;
    // Search the subtree of a prefix. Throws std::invalid_argument if it contradicts itself.
    virtual void search(const Path& prefix, Run& run) = 0;
    // A kernel for another thread; it shares what never changes.
    virtual std::unique_ptr<Kernel> another() const = 0;
};

}  // namespace exactile
