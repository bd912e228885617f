// The socket to the simulator, which runs in another process.
#include "connection.hpp"

#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <gridloom/failure.hpp>
#include <iostream>
#include <mutex>
#include <sys/socket.h>

namespace gridloom
{

namespace
{

constexpr const char *socket_variable = "GRIDLOOM_METAL_SOCKET";
constexpr int stopped = 3;  // as the simulator's own exit code

void flush()
{
    std::cout.flush();
    std::cerr.flush();
    std::fflush(stdout);
    std::fflush(stderr);
}

[[noreturn]] void stop()
{
    flush();
    std::_Exit(stopped);
}

// Tells the simulator how the program ended.
void say_end(int status, void *)
{
    JsonWriter json;

    json.open('{').key("do").text("end").key("status").number(status).close('}');
    request(json.take());
}

class Connection
{
  public:
    Connection()
    {
        const char *number = std::getenv(socket_variable);

        if (!number) {
            refuse("{} is not set: start this program by `gridloom metal`",
                   socket_variable);
        }
        socket_ = std::atoi(number);
        on_exit(say_end, nullptr);
        say_uncaught_errors();
    }

    void send_bytes(const void *bytes, std::size_t count) const
    {
        const char *place = static_cast<const char *>(bytes);

        while (count > 0) {
            const ssize_t sent = ::send(socket_, place, count, MSG_NOSIGNAL);
            if (sent < 0 && errno == EINTR) {
                continue;
            }
            if (sent <= 0) {
                lose();
            }
            place += sent;
            count -= static_cast<std::size_t>(sent);
        }
    }

    void receive_bytes(void *bytes, std::size_t count) const
    {
        char *place = static_cast<char *>(bytes);

        while (count > 0) {
            const ssize_t received = ::recv(socket_, place, count, 0);
            if (received < 0 && errno == EINTR) {
                continue;
            }
            if (received <= 0) {
                lose();
            }
            place += received;
            count -= static_cast<std::size_t>(received);
        }
    }

  private:
    // The simulator has said why.
    [[noreturn]] static void lose()
    {
        stop();
    }

    int socket_;
};

// Lives until the process ends, because the end is a message, too.
const Connection &connection()
{
    static const Connection *const only = new Connection;

    return *only;
}

struct [[gnu::packed]] Head {
    std::uint32_t json_bytes;
    std::uint64_t data_bytes;
};
static_assert(sizeof(Head) == 12);

}  // namespace

Answer request(const std::string &json, std::span<const std::byte> data)
{
    // An error inside of a request may end the program, which is a request, too.
    static std::recursive_mutex mutex;
    const std::lock_guard lock(mutex);
    const Connection &link = connection();
    Head head{static_cast<std::uint32_t>(json.size()), data.size()};

    flush();
    link.send_bytes(&head, sizeof head);
    link.send_bytes(json.data(), json.size());
    link.send_bytes(data.data(), data.size());
    link.receive_bytes(&head, sizeof head);
    std::string text(head.json_bytes, '\0');
    std::vector<std::byte> bytes(head.data_bytes);
    link.receive_bytes(text.data(), text.size());
    link.receive_bytes(bytes.data(), bytes.size());
    JsonObject object(text);
    if (object.has("error")) {
        stop();
    }
    return {std::move(object), std::move(bytes)};
}

}  // namespace gridloom
