/* folder.h -- files: the folder that is served, and the private one.
 *
 * Whatever a request names lies in the folder that is served, which is the current one: no
 * absolute path, no step upwards, nothing hidden, no symbolic link that leads out.
 *
 * What is uploaded and what jobs write lies in a private folder, locked as long as its server
 * lives. A server that is killed cannot remove it, but its lock ends with it; so the next
 * server removes those that can be locked.
 */
#ifndef SHOAL_SERVER_FOLDER_H
#define SHOAL_SERVER_FOLDER_H

#include "server.h"

/* Whether a path names a file of the folder that is there; a refusal is in the reply
 * otherwise. `what` names it in words: "The file". */
bool server_check_input(const server *s, server_reply *reply, const char *path,
                        const char *what);

/* Whether a file of this name may be written: its folder is there, and no file of the name
 * unless it may be replaced. */
bool server_check_output(const server *s, server_reply *reply, const char *path,
                         bool may_replace);

/* Why a path may not be used at all: a clause, or NULL when its form is all right. */
const char *server_path_fault(const char *path);

/* Whether a name that a browser gives can be one of a file. */
bool server_is_name(const char *name);

/* GET /api/folder */
void server_list_folder(server *s, server_request *request, server_reply *reply);

/* Make the private folder, after removing those of servers that were killed. On failure false,
 * with a sentence in the message. *lock keeps it locked. */
bool server_work_open(char **out, int *lock, char *message, size_t size);

/* Remove it, and a folder with all that is in it. */
void server_work_close(char *work, int lock);
void server_remove_folder(const char *path);

/* Copy a file, or write bytes to one, whole or not at all; is_private: only its owner may read
 * it. errno tells what failed. */
bool server_copy_file(const char *from, const char *to);
bool server_write_file(const char *path, const char *bytes, size_t size, bool is_private);

/* The reply to a write that failed. Always false. */
bool server_refuse_write(server_reply *reply, const char *path, int code);

#endif /* SHOAL_SERVER_FOLDER_H */
