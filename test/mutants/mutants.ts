import { inputMutants } from './input-mutants.ts'
import type { Mutant } from './mutant.ts'
import { outputMutants } from './output-mutants.ts'

/** Typical mutations in every folder under `src/`. The runner applies one mutation at a time. */
export const mutants: readonly Required<Mutant>[] = [...outputMutants, ...inputMutants].map(
  (mutant) => ({ tests: [testOf(mutant)], ...mutant }),
)

function testOf({ file }: Mutant): string {
  return file.replace(/^src\/(.+)\.[jt]s$/, 'test/$1.test.ts')
}
