#include "scratch.hpp"

#include <fcntl.h>

#include <algorithm>
#include <cerrno>

#if defined(_WIN32)
#include <io.h>
#include <sys/stat.h>

#include <mutex>
#include <random>
#else
#include <unistd.h>
#endif

namespace exactile::scratch {

#if defined(_WIN32)

// There is no reading at a place: the lock is held while the file's position is in use.
static std::mutex moving;

int open_in(const std::string& directory) {
    std::random_device dice;
    for (int attempt = 0; attempt < 100; ++attempt) {
        const std::string name = directory + "/exactile-" + std::to_string(dice());
        const int handle = ::_open(
            name.c_str(), _O_CREAT | _O_EXCL | _O_RDWR | _O_BINARY | _O_TEMPORARY | _O_NOINHERIT,
            _S_IREAD | _S_IWRITE);
        if (handle >= 0 || errno != EEXIST) return handle;
    }
    return -1;
}

void close(int handle) { ::_close(handle); }

template <typename Move>
static bool move_all(int handle, std::uint64_t size, std::uint64_t place, Move move) {
    constexpr std::uint64_t kMost = 1 << 30;  // as much as fits into the system's integers
    const std::lock_guard lock(moving);
    if (::_lseeki64(handle, static_cast<long long>(place), 0) < 0) return false;
    for (std::uint64_t done = 0; done < size;) {
        const int n = move(done, static_cast<unsigned>(std::min(size - done, kMost)));
        if (n <= 0) return false;
        done += static_cast<std::uint64_t>(n);
    }
    return true;
}

bool write_at(int handle, const std::byte* data, std::uint64_t size, std::uint64_t place) {
    return move_all(handle, size, place, [&](std::uint64_t done, unsigned most) {
        return ::_write(handle, data + done, most);
    });
}

bool read_at(int handle, std::byte* data, std::uint64_t size, std::uint64_t place) {
    return move_all(handle, size, place, [&](std::uint64_t done, unsigned most) {
        return ::_read(handle, data + done, most);
    });
}

#else

int open_in(const std::string& directory) {
    std::string name = directory + "/exactile-XXXXXX";
    const int handle = ::mkstemp(name.data());
    if (handle >= 0) ::unlink(name.c_str());
    return handle;
}

void close(int handle) { ::close(handle); }

template <typename Move>
static bool move_all(std::uint64_t size, Move move) {
    for (std::uint64_t done = 0; done < size;) {
        const ssize_t n = move(done);
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) return false;
        done += static_cast<std::uint64_t>(n);
    }
    return true;
}

bool write_at(int handle, const std::byte* data, std::uint64_t size, std::uint64_t place) {
    return move_all(size, [&](std::uint64_t done) {
        return ::pwrite(handle, data + done, size - done, static_cast<off_t>(place + done));
    });
}

bool read_at(int handle, std::byte* data, std::uint64_t size, std::uint64_t place) {
    return move_all(size, [&](std::uint64_t done) {
        return ::pread(handle, data + done, size - done, static_cast<off_t>(place + done));
    });
}

#endif

}  // namespace exactile::scratch
