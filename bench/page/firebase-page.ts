import { globSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { buildPage } from '../../scripts/build/page.ts'

/** A page for Firebase, for as long as it is measured. */
export interface FirebasePage {
  readonly folder: string
  /** What it loads beside its own script. */
  readonly chunk: string
}

/** Builds the page for Firebase, lets it be measured and removes it. */
export async function withFirebasePage<T>(
  measure: (page: FirebasePage) => T | Promise<T>,
): Promise<T> {
  // Vite warns about folders that are not in the project.
  const folder = 'dist-bench.new'
  try {
    await buildPage(folder, { mode: 'firebase', publicUrl: null })
    const [chunk] = globSync(join(folder, 'assets/firebase-client-*.js'))
    if (!chunk) throw new Error('A page for Firebase was built without Firebase.')
    return await measure({ folder, chunk })
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
