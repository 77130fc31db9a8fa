import { globSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { join } from 'node:path'
import { brotliCompressSync } from 'node:zlib'
import { build } from 'vite'
import { buildPage } from '../../scripts/build/page.ts'
import type { DeskFiles } from '../../src/desk/contract/pages.ts'
import product from '../../src/product/product.ts'
import { paths } from '../../src/shared/api.ts'
import { site } from '../../src/site/site.ts'
import { startOurServer } from '../our-server.ts'
import { type Findings, type Row, single } from '../report.ts'
import { dataFolder } from '../work-folder.ts'

/** The bytes that a visitor waits for, and those of the desk. */
export async function measureBytes(): Promise<Findings> {
  const html = readFileSync(join(site.public, 'index.html'), 'utf8')
  const script = html.match(/<link rel="modulepreload"[^>]* href="\/([^"]+)"/)?.[1]
  if (!script) throw new Error('The page has no script.')
  const bare = brotliSize(await buildBareReact())
  const whole = await wholeAnswers([
    'GET /',
    `GET /${script}`,
    `GET /${product.logo}`,
    `GET ${paths.config}`,
    `GET ${paths.session}`,
    `POST ${paths.session}`,
  ])
  const rows: Row[] = [
    bytes('page with its style, splash and typeface, brotli', travelling('index.html')),
    bytes('the whole answer with its headers', whole[0] ?? 0, 14_600, 12_000),
    bytes('the whole first load, headers included', sum(whole), 80_000, 72_000),
    bytes('script of the page, brotli', travelling(script)),
    bytes('bare react-dom/client, brotli', bare),
    bytes('script of the desk, brotli', travellingIn(deskScript(), site.desk), 110_000, 90_000),
    {
      what: 'script over bare react-dom/client',
      figure: single(travelling(script) / bare),
      unit: '×',
      budget: { must: 1.06, aim: 1.03, better: 'less' },
    },
    bytes('Firebase, loaded in that mode only, brotli', await firebaseBytes(), 46_000, 30_000),
  ]
  return { rows }
}

function bytes(what: string, value: number, must?: number, aim?: number): Row {
  const row = { what, figure: single(value), unit: 'B' }
  if (must === undefined || aim === undefined) return row
  return { ...row, budget: { must, aim, better: 'less' } }
}

/** What the server sends to a browser that reads brotli. */
const travelling = (file: string) => travellingIn(file, site.public)

function travellingIn(file: string, folder: string): number {
  const path = join(folder, file)
  return statSync(`${path}.br`, { throwIfNoEntry: false })?.size ?? statSync(path).size
}

/** The operator's page loads it, and no visitor. */
function deskScript(): string {
  const files = readFileSync(join(site.desk, 'files.json'), 'utf8')
  return (JSON.parse(files) as DeskFiles).script.replace('/desk/', '')
}

const brotliSize = (file: string) => brotliCompressSync(readFileSync(file)).length

/** The least that a page with React can load, built as ours is. @returns the script's path. */
async function buildBareReact(): Promise<string> {
  const root = dataFolder('bare-react')
  writeFileSync(
    join(root, 'index.html'),
    '<div id="root"></div><script type="module" src="/main.js"></script>',
  )
  const react = import.meta.resolve('react-dom/client')
  writeFileSync(
    join(root, 'main.js'),
    `import { hydrateRoot } from ${JSON.stringify(new URL(react).pathname)}
    hydrateRoot(document.getElementById('root'), null)`,
  )
  await build({
    configFile: join(process.cwd(), 'vite.config.ts'),
    root,
    logLevel: 'warn',
    build: { outDir: 'out' },
  })
  const assets = join(root, 'out/assets')
  const [script] = readdirSync(assets)
  if (!script) throw new Error('Nothing was built of bare React.')
  return join(assets, script)
}

/** What a page for Firebase loads beside its own script. */
async function firebaseBytes(): Promise<number> {
  // Vite warns about folders that are not in the project.
  const folder = 'dist-bench.new'
  try {
    await buildPage(folder, { mode: 'firebase', publicUrl: null })
    const [chunk] = globSync(join(folder, 'assets/firebase-client-*.js'))
    if (!chunk) throw new Error('A page for Firebase was built without Firebase.')
    return brotliSize(chunk)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Answers of the real server, byte by byte, as a browser gets them; each over a connection of its own. */
async function wholeAnswers(calls: readonly string[]): Promise<number[]> {
  const server = await startOurServer('bytes')
  const sizes: number[] = []
  for (const call of calls) {
    const [method, path] = call.split(' ')
    sizes.push(
      await new Promise<number>((resolve, reject) => {
        const headers = { 'Accept-Encoding': 'br', Origin: server.url }
        request(server.url + path, { method, headers, agent: false }, (response) => {
          const { socket } = response
          response.on('end', () => resolve(socket.bytesRead)).resume()
        })
          .on('error', reject)
          .end()
      }),
    )
  }
  await server.stop()
  return sizes
}

const sum = (figures: readonly number[]) => figures.reduce((one, other) => one + other, 0)
