import { rename, rm } from 'node:fs/promises'

/** Fills a folder beside the one that is there, and replaces that only when done. */
export async function replaceFolder(
  folder: string,
  fill: (fresh: string) => Promise<void>,
): Promise<void> {
  const fresh = `${folder}.new`
  await rm(fresh, { recursive: true, force: true })
  await fill(fresh)
  await rm(folder, { recursive: true, force: true })
  await rename(fresh, folder)
}
