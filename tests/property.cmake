# Random tables through the program, their releases checked by code that shares nothing with it.

if(TARGET shoal_program)
    find_package(Python3 REQUIRED COMPONENTS Interpreter)
    shoal_script_test(random_releases property Python3::Interpreter
        ${CMAKE_CURRENT_SOURCE_DIR}/property/random_releases.py
        --program $<TARGET_FILE:shoal_program> --seeds 20)
    shoal_script_test(random_buckets property Python3::Interpreter
        ${CMAKE_CURRENT_SOURCE_DIR}/property/random_buckets.py
        --program $<TARGET_FILE:shoal_program> --seeds 12)
    shoal_script_test(undo_anatomy property Python3::Interpreter
        ${CMAKE_CURRENT_SOURCE_DIR}/property/undo_anatomy.py
        --program $<TARGET_FILE:shoal_program>)
    # All worlds of small tables; many of them in `make test-deep` alone.
    shoal_script_test(minimality_worlds property Python3::Interpreter
        ${CMAKE_CURRENT_SOURCE_DIR}/property/minimality_worlds.py
        --program $<TARGET_FILE:shoal_program>)
    shoal_script_test(minimality_worlds_deep property Python3::Interpreter
        ${CMAKE_CURRENT_SOURCE_DIR}/property/minimality_worlds.py
        --program $<TARGET_FILE:shoal_program> --deep)
    shoal_script_test(random_previous property Python3::Interpreter
        ${CMAKE_CURRENT_SOURCE_DIR}/property/random_previous.py
        --program $<TARGET_FILE:shoal_program> --seeds 25)
    # Sanitizers take memory of their own: measured where there are none.
    if(NOT SHOAL_SANITIZE)
        shoal_script_test(memory_limit property Python3::Interpreter
            ${CMAKE_CURRENT_SOURCE_DIR}/property/memory_limit.py
            --program $<TARGET_FILE:shoal_program>)
        shoal_test_deep(memory_limit)
    endif()
    shoal_script_test(random_populations property Python3::Interpreter
        ${CMAKE_CURRENT_SOURCE_DIR}/property/random_populations.py
        --program $<TARGET_FILE:shoal_program> --seeds 25)
    # Persons with several records. By hand: --releases 2000 --exact-count.
    shoal_script_test(random_persons property Python3::Interpreter
        ${CMAKE_CURRENT_SOURCE_DIR}/property/random_persons.py
        --program $<TARGET_FILE:shoal_program> --releases 40)
    shoal_script_test(random_persons_memory property Python3::Interpreter
        ${CMAKE_CURRENT_SOURCE_DIR}/property/random_persons.py
        --program $<TARGET_FILE:shoal_program> --releases 60 --memory)
    # Arguments, specs and tables that something was done to. By hand, with sanitizers: --runs 10000.
    shoal_script_test(mutate_runs property Python3::Interpreter
        ${CMAKE_CURRENT_SOURCE_DIR}/property/mutate_runs.py
        --program $<TARGET_FILE:shoal_program> --runs 300)
    shoal_test_deep(mutate_runs)
    # best beside all other methods; one is so large that a sample tells who has a chance.
    # By hand: bench/never_worse.py with thousands of tables.
    shoal_script_test(never_worse property Python3::Interpreter
        ${PROJECT_SOURCE_DIR}/bench/never_worse.py
        --program $<TARGET_FILE:shoal_program> --tables 60 --first 5000 --records 20-400)
    shoal_test_deep(never_worse)
    shoal_script_test(never_worse_large property Python3::Interpreter
        ${PROJECT_SOURCE_DIR}/bench/never_worse.py
        --program $<TARGET_FILE:shoal_program> --tables 1 --first 5110 --records 200001-220000 --efforts fast)
    shoal_test_deep(never_worse_large)
    # Few large classes: of 98,062 records of 21 columns, and of 43,618 under an entropy, where others win.
    foreach(seed 50011 50018)
        shoal_script_test(never_worse_${seed} property Python3::Interpreter
            ${PROJECT_SOURCE_DIR}/bench/never_worse.py
            --program $<TARGET_FILE:shoal_program> --tables 1 --first ${seed} --records 3000-200000 --efforts normal)
        shoal_test_deep(never_worse_${seed})
    endforeach()
    # Records that are near on hilbert's curve and not in the table: it has a try all the same.
    shoal_script_test(never_worse_50094 property Python3::Interpreter
        ${PROJECT_SOURCE_DIR}/bench/never_worse.py
        --program $<TARGET_FILE:shoal_program> --tables 1 --first 50094 --records 3000-100000 --efforts fast)
    shoal_test_deep(never_worse_50094)
    # Values written in many ways. By hand: --releases 2000 --exact-count.
    shoal_script_test(random_same property Python3::Interpreter
        ${CMAKE_CURRENT_SOURCE_DIR}/property/random_same.py
        --program $<TARGET_FILE:shoal_program> --releases 20)
    add_executable(fold_texts property/fold_texts.c)
    target_include_directories(fold_texts PRIVATE ${PROJECT_SOURCE_DIR}/src)
    target_link_libraries(fold_texts PRIVATE ${SHOAL_LINKED} shoal_flags)
    shoal_script_test(fold_all_texts property Python3::Interpreter
        ${CMAKE_CURRENT_SOURCE_DIR}/property/fold_texts.py --folder $<TARGET_FILE:fold_texts>)
    shoal_script_test(made_ready property Python3::Interpreter
        ${CMAKE_CURRENT_SOURCE_DIR}/property/made_ready.py
        --program $<TARGET_FILE:shoal_program> --rounds 5)
    shoal_script_test(made_ready_deep property Python3::Interpreter
        ${CMAKE_CURRENT_SOURCE_DIR}/property/made_ready.py
        --program $<TARGET_FILE:shoal_program> --rounds 300 --seed 1000)
    shoal_test_deep(made_ready_deep)
    shoal_script_test(random_hierarchies property Python3::Interpreter
        ${CMAKE_CURRENT_SOURCE_DIR}/property/random_hierarchies.py
        --program $<TARGET_FILE:shoal_program> --rounds 4)
    shoal_script_test(random_hierarchies_deep property Python3::Interpreter
        ${CMAKE_CURRENT_SOURCE_DIR}/property/random_hierarchies.py
        --program $<TARGET_FILE:shoal_program> --rounds 200 --seed 1000)
    shoal_test_deep(random_hierarchies_deep)
    shoal_script_test(random_grids property Python3::Interpreter
        ${CMAKE_CURRENT_SOURCE_DIR}/property/random_grids.py
        --program $<TARGET_FILE:shoal_program> --seeds 36)
    shoal_script_test(random_looks property Python3::Interpreter
        ${CMAKE_CURRENT_SOURCE_DIR}/property/random_looks.py
        --program $<TARGET_FILE:shoal_program> --seeds 30)
    shoal_script_test(inspect_runs property Python3::Interpreter
        ${CMAKE_CURRENT_SOURCE_DIR}/property/inspect_runs.py
        --program $<TARGET_FILE:shoal_program> --seeds 8)
    shoal_script_test(inspect_runs_many property Python3::Interpreter
        ${CMAKE_CURRENT_SOURCE_DIR}/property/inspect_runs.py
        --program $<TARGET_FILE:shoal_program> --first 1000 --seeds 300)
    # What docs/inspect.md says is still so.
    foreach(set known unseen published)
        shoal_script_test(inspect_roles_${set} property Python3::Interpreter
            ${PROJECT_SOURCE_DIR}/bench/inspect_roles.py
            --program $<TARGET_FILE:shoal_program> --set ${set} --least 94)
    endforeach()
    shoal_test_deep(inspect_runs_many inspect_roles_known inspect_roles_unseen inspect_roles_published)
    # Attacks. All promises by hand: --promises 2000.
    shoal_script_test(random_attacks property Python3::Interpreter
        ${CMAKE_CURRENT_SOURCE_DIR}/property/random_attacks.py
        --program $<TARGET_FILE:shoal_program> --seeds 4)
    shoal_script_test(attacks_with_errors property Python3::Interpreter
        ${CMAKE_CURRENT_SOURCE_DIR}/property/random_attacks.py
        --program $<TARGET_FILE:shoal_program> --errors)
    shoal_script_test(attacks_within_promises property Python3::Interpreter
        ${CMAKE_CURRENT_SOURCE_DIR}/property/random_attacks.py
        --program $<TARGET_FILE:shoal_program> --promises 12)
    shoal_test_long(random_attacks)
    shoal_test_deep(attacks_with_errors attacks_within_promises)
    shoal_test_long(random_releases random_buckets random_populations random_grids random_persons
                    random_persons_memory random_looks random_same)
    # A division in many processes. With larger tables by hand: see the script.
    add_executable(divided_parts property/divided_parts.c)
    target_link_libraries(divided_parts PRIVATE ${SHOAL_LINKED} shoal_flags)
    shoal_script_test(divided_parts_processes property Python3::Interpreter
        ${CMAKE_CURRENT_SOURCE_DIR}/property/divided_parts.py
        --program $<TARGET_FILE:shoal_program> --steps $<TARGET_FILE:divided_parts> --small)
    shoal_test_long(divided_parts_processes)
    # Half a minute each under the sanitizers: in `make test-deep` alone.
    shoal_test_deep(minimality_worlds_deep random_persons_memory divided_parts_processes fold_all_texts)
endif()
