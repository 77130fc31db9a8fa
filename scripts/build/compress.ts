import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, gzip } from 'node:zlib'
import { kept } from './kept.ts'

/** In bytes. */
const LONG = 20_000

const encodings = { '.br': promisify(brotliCompress), '.gz': promisify(gzip) }

/** Writes `.br` and `.gz` beside every text file in a folder, where that is smaller. */
export async function compressFolder(folder: string): Promise<void> {
  const files = await readdir(folder, { recursive: true })
  await Promise.all(
    files
      .filter((file) => /\.(html|js|css|svg|txt|json|webmanifest)$/.test(file))
      .map(async (file) => {
        const path = join(folder, file)
        const content = await readFile(path)
        for (const [ending, compress] of Object.entries(encodings)) {
          const make = () => compress(content)
          // A short text is compressed sooner than it is found.
          const compressed = await (content.length < LONG ? make() : kept([ending, content], make))
          if (compressed.length < content.length) await writeFile(path + ending, compressed)
        }
      }),
  )
}
