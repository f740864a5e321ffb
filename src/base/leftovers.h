/* leftovers.h -- what killed runs left behind, removed by the next one.
 *
 * A temporary file that has a name is locked as long as its run lives. A process that is killed
 * cannot remove its file, but its lock ends with it; so a file of such a name that can be
 * locked belongs to nobody.
 */
#ifndef SHOAL_I_LEFTOVERS_H
#define SHOAL_I_LEFTOVERS_H

#include "fail.h"

/* Lock a file that was just made. False: somebody took it for a leftover before; make
 * another. */
bool shoal_i_leftovers_claim(int fd);

/* What a run may have beside its temporary file for a moment: a file that shows the permissions
 * of new ones, and, while the folder is locked, what its output replaces. */
#define SHOAL_I_LEFTOVERS_MODE "-mode"
#define SHOAL_I_LEFTOVERS_KEPT "-kept"

/* Of the name of a target, its temporary name has so many bytes at most. */
#define SHOAL_I_LEFTOVERS_NAME_MAX 200

/* Remove the user's files in a folder whose names are `beginning` and six further characters,
 * and that nobody has locked; and those that stood beside them. A file that was kept goes back
 * to its place, `target`, if that is empty. So are those of other targets, ".NAME.shoal-" and
 * six letters or digits, that only their owner may read. What cannot be looked at is left
 * alone. folder "" is the current one. */
void shoal_i_leftovers_remove(const char *folder, const char *beginning, const char *target);

#endif /* SHOAL_I_LEFTOVERS_H */
