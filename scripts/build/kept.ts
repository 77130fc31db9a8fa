import { createHash, randomUUID } from 'node:crypto'
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

const FOLDER = 'node_modules/.cache/opening-bell'
const KEPT_DAYS = 30

/**
 * What an earlier build made of the same, or what is made now and kept for the next build.
 * Compressing a typeface and scripts and drawing pictures take half of a build, and a change of words
 * or settings changes few of them.
 *
 * @param from all that the result depends on.
 */
export async function kept(
  from: readonly (string | Uint8Array)[],
  make: () => Promise<Uint8Array>,
): Promise<Buffer> {
  const hash = createHash('sha256')
  for (const part of from) hash.update(`${part.length} `).update(part)
  const file = join(FOLDER, hash.digest('hex'))
  const before = (await isOurs()) && (await readFile(file).catch(() => undefined))
  // A machine that lost power may have left an empty file.
  if (before && before.length > 0) return before
  const made = Buffer.from(await make())
  // Where nothing can be kept, the next build makes it again.
  await keep(file, made).catch(() => {})
  return made
}

/** Nothing is taken from a folder in which another user may write. */
async function isOurs(): Promise<boolean> {
  const folder = await stat(FOLDER).catch(() => undefined)
  return folder?.uid === process.geteuid?.() && ((folder?.mode ?? 0o777) & 0o022) === 0
}

async function keep(file: string, content: Buffer): Promise<void> {
  await mkdir(FOLDER, { recursive: true, mode: 0o700 })
  const unfinished = `${file}.${randomUUID()}`
  await writeFile(unfinished, content)
  await rename(unfinished, file)
  const oldest = Date.now() - KEPT_DAYS * 86_400_000
  for (const name of await readdir(FOLDER)) {
    const path = join(FOLDER, name)
    const { mtimeMs = 0 } = (await stat(path).catch(() => undefined)) ?? {}
    if (mtimeMs < oldest) await rm(path, { force: true })
  }
}
