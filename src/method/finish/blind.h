/* blind.h -- classes from which nobody can tell what made them as large as they are.
 *
 * A reader who knows method and requirement asks why two classes were joined: because one of
 * them did not hold, so its people are those with the frequent value (R. Wong, A. Fu, K. Wang,
 * J. Pei, "Minimality attack in privacy preserving data publishing", VLDB 2007). Here sensitive
 * values decide only what does not tell by whom it was decided:
 *
 *   1. The method makes its classes for k alone; it sees no sensitive values.
 *   2. By boxes and sizes alone these become a few trees (sibling_tree.h), in which the
 *      children of a node are equally large.
 *   3. Every root must hold, or nothing is published.
 *   4. From the roots down a node is divided when all of its children hold, and is one class
 *      when they do not.
 *
 * Why a reader learns nothing. Let him know everybody's quasi-identifier, the method, its
 * options, the requirement and the seed, and nothing about who has which value. Who exchanges
 * values within the classes that are published changes no count of a root and of no node that
 * was divided, so (3) and these divisions come out as they did. Of a class whose node has
 * children he learns one thing more: that they did not all hold. Let two children exchange all
 * of their values, or two records of one child: that they do not all hold stays as it is, and
 * by such exchanges the value of any record of the class gets to any other. So among the worlds
 * that lead to the release every record of the class has each value equally often, just as
 * often as the class shows. What the requirement says of the class is true of everybody in it
 * for this reader, too. That is why children must be equally large: where a class of two and
 * one of four are joined, both values of the two are in doubt, not any two of the six.
 *
 * Where classes with equal boxes are one in the eyes of readers they know still less: a mean of
 * what holds, and all requirements here hold for means of what holds.
 *
 * How large the method's classes are and which roots are too small follows from trials with
 * shuffled sensitive values: from how many there are of each, which is published anyway.
 *
 * It is about single records and a reader without opinions: what two persons have between them,
 * and priors by which some people are likelier to have a value, are not covered. Persons with
 * several records break the argument (records of one person cannot be exchanged), and so do
 * requirements about a population; runs refuse both.
 */
#ifndef SHOAL_I_BLIND_H
#define SHOAL_I_BLIND_H

#include "../problem/method.h"

/* Run a method on a problem in canonical order whose is_blind is set. Of a method of buckets
 * the inner one makes the classes. The whole table as one class must meet the requirements.
 * SHOAL_EUNSATISFIABLE: a root does not hold. */
shoal_status shoal_i_blind_run(shoal_ctx *ctx, shoal_i_release **out,
                               const shoal_i_method *method, const shoal_i_problem *problem,
                               const shoal_i_method_settings *settings);

#endif /* SHOAL_I_BLIND_H */
