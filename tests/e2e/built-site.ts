import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buildProject } from '../fixtures/project-copy.ts'
import { startSite } from '../fixtures/running-site.ts'
import { expect } from './fixtures.ts'

export type BuiltSite = Awaited<ReturnType<typeof startBuilt>>

/**
 * Builds the page of a product, and starts its server; its folder goes when that is stopped.
 *
 * @param copy puts the product into an empty folder. @param stdout what the build says.
 */
export async function startBuilt(copy: (root: string) => void, stdout: unknown = '') {
  const root = await mkdtemp(join(tmpdir(), 'opening-bell-built-'))
  copy(root)
  expect(buildProject(root)).toMatchObject({ status: 0, stdout, stderr: '' })
  const site = await startSite({ root })
  const { stop } = site
  return Object.assign(site, {
    root,
    async stop() {
      await stop()
      await rm(root, { recursive: true })
    },
  })
}
