// One thread's part in counting by a frontier: the lists of single nodes, and what two halves make.

#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "deadline.hpp"
#include "front_automaton.hpp"
#include "front_lists.hpp"
#include "front_supply.hpp"
#include "front_tables.hpp"

namespace exactile {

enum class Side { forward, backward };

// The data that all workers share.
struct Front {
    Supply supply{{}, {}, {}};
    std::vector<Label> labels;
    std::vector<std::uint32_t> label_of;  // of each mark
    Edges out, in;
    std::vector<std::uint32_t> level;        // of each node; edges lead to higher ones
    std::vector<std::uint64_t> weight;       // of what is used before each node
    std::vector<const Class*> class_of;      // by weight; none if keys are not ranked
    std::array<std::vector<List>, 2> lists;  // of each node, from either side
    std::uint32_t cut = 0;                   // when the halves are joined: between them
    bool whole = false;  // all edges are joined, and distinguished by their marks
    bool keep = false;   // lists are needed for solutions too
    std::uint8_t key_bytes = 8;

    std::size_t nodes() const { return level.size(); }
    List& list(Side side, std::uint32_t node) { return lists[static_cast<int>(side)][node]; }
    const List& list(Side side, std::uint32_t node) const {
        return lists[static_cast<int>(side)][node];
    }
    const Label& label(const Edges& edges, std::uint64_t edge) const {
        return labels[label_of[edges.mark[edge]]];
    }
    const Class* class_at(Side side, std::uint32_t node) const;
    bool joins(std::uint32_t before) const { return whole || level[before] < cut; }
};

// Call `use` for each entry of a node's list.
void each_number(const Front& front, const ListStore& store, Side side, std::uint32_t node,
                 const std::function<void(Key, Limbs)>& use);

// The number of a key in a node's list, in as many limbs as `number` has; zero if there is none.
void find_number(const Front& front, const ListStore& store, Side side, std::uint32_t node, Key key,
                 std::vector<Limb>& number);

class Worker {
public:
    Worker(Front& front, ListStore& store) : front_(front), store_(store) {}

    // Work on nodes of a queue, from `next` on, until there are none or it is time to stop; then
    // the node in progress is continued later. False if there is no room for a list.
    bool make_lists(Side side, const std::vector<std::uint32_t>& queue,
                    std::atomic<std::size_t>& next, Clock::time_point deadline);
    // The same for the join: nodes behind the cut with edges from before it.
    void join(const std::vector<std::uint32_t>& queue, std::atomic<std::size_t>& next,
              Clock::time_point deadline);
    // Numbers of joined edges, by the place of their node in the queue, or by mark.
    Sums& sums() { return sums_; }

    // Prepare a node behind the cut, and return how many solutions go through an edge to it.
    void open(std::uint32_t node);
    std::vector<Limb> joined(std::uint64_t edge);

    bool idle() const { return !busy_; }
    std::uint64_t operations() const { return operations_; }
    std::uint64_t entries() const { return entries_; }
    std::uint64_t bytes() const { return table_.bytes() + buffer_.capacity(); }

private:
    static constexpr std::uint64_t kOperationsPerCheck = 1 << 16;

    void take_up(std::uint32_t node, const Edges& edges);
    bool late(Clock::time_point deadline);
    void begin_list(Side side);
    void add_edge(Side side);
    bool finish_list(Side side);
    void write(const List& list, std::byte* data);
    void begin_join();

    Front& front_;
    ListStore& store_;
    Table table_;
    std::vector<std::byte> buffer_;
    bool busy_ = false;
    std::uint32_t node_ = 0;
    std::size_t place_ = 0;  // of the node in the queue
    std::uint64_t edge_ = 0, last_edge_ = 0;
    const Edges* edges_ = nullptr;
    std::uint64_t operations_ = 0, checked_ = 0, entries_ = 0;
    Sums sums_;
};

}  // namespace exactile
