import { inputMutants } from './input-mutants.ts'
import type { Mutant } from './mutant.ts'
import { outputMutants } from './output-mutants.ts'

/** Typical faults in every folder under `src/`. The runner applies one fault at a time. */
export const mutants: readonly Mutant[] = [...outputMutants, ...inputMutants]
