import { extname } from 'node:path'
import { Worker } from 'node:worker_threads'

/** Of elements, each counted as often as it is drawn. */
const MOST_ELEMENTS = 5000
/** A page's drawings take some milliseconds; a busy machine gets the rest. */
const MOST_SECONDS = 10
/** Larger than any picture that is made of it, in pixels. */
const WIDTH = 1200
/** Of width to height, and of height to width: a picture has one of them, and as many pixels as follow. */
const MOST_RATIO = 20

/**
 * Why a drawing would hold up a build, or a visitor's browser.
 *
 * @param svg may come from anywhere.
 */
export async function drawingFault(svg: string): Promise<string | undefined> {
  if (/<!ENTITY/i.test(svg)) return 'has entities, which can become any number of elements'
  const elements = expandedElements(svg)
  if (elements > MOST_ELEMENTS)
    return `draws ${elements < 1e6 ? elements : 'over a million'} elements, with those that it uses again; ${MOST_ELEMENTS} fit`
  return FAULTS[await draw(svg)]
}

const FAULTS = {
  drawn: undefined,
  wrong: 'is not an SVG that can be drawn',
  narrow: `is ${MOST_RATIO} times as wide as high, or as high as wide, or more`,
  late: `takes longer than ${MOST_SECONDS} s to be drawn`,
}

interface Node {
  readonly children: Node[]
  /** The ids that it draws, fills, masks or filters with. */
  readonly uses: readonly string[]
}

/**
 * How many elements are drawn, where each that is used again counts as often: by `<use>`, and as a
 * pattern, a mask, a clip, a marker, a filter or a gradient. A circle draws nothing.
 */
export function expandedElements(svg: string): number {
  const bare = svg.replace(/<!--[\s\S]*?-->|<!\[CDATA\[[\s\S]*?\]\]>|<\?[\s\S]*?\?>/g, '')
  const root: Node = { children: [], uses: [] }
  const byId = new Map<string, Node>()
  const open = [root]
  const tag = /<(\/?)[\w:-]+((?:"[^"]*"|'[^']*'|[^"'>])*?)(\/?)>/g
  for (const [, closing, attributes = '', empty] of bare.matchAll(tag)) {
    if (closing) {
      if (open.length > 1) open.pop()
      continue
    }
    const uses = [...attributes.matchAll(/(?:href\s*=\s*["']|url\(\s*["']?)\s*#([^"')\s]+)/g)]
    const node: Node = { children: [], uses: uses.map(([, id = '']) => id) }
    open.at(-1)?.children.push(node)
    const id = /\sid\s*=\s*["']([^"']+)/.exec(attributes)?.[1]
    if (id !== undefined) byId.set(id, node)
    if (!empty) open.push(node)
  }
  const counts = new Map<Node, number>()
  const count = (node: Node): number => {
    const known = counts.get(node)
    if (known !== undefined) return known
    // While it is counted: what uses itself is drawn by nobody.
    counts.set(node, 0)
    const used = node.uses.flatMap((id) => byId.get(id) ?? [])
    const sum = [...node.children, ...used].reduce((total, one) => total + count(one), 1)
    counts.set(node, sum)
    return sum
  }
  return count(root) - 1
}

async function draw(svg: string): Promise<keyof typeof FAULTS> {
  const script = new URL(`./draw-worker${extname(import.meta.filename)}`, import.meta.url)
  const workerData = { svg, width: WIDTH, mostRatio: MOST_RATIO }
  const worker = new Worker(script, { workerData, execArgv: [] })
  let late: NodeJS.Timeout | undefined
  try {
    return await new Promise<keyof typeof FAULTS>((resolve) => {
      late = setTimeout(() => resolve('late'), MOST_SECONDS * 1000)
      worker.on('message', resolve)
      // Out of memory, or of the stack.
      worker.on('error', () => resolve('wrong'))
      worker.on('exit', () => resolve('wrong'))
    })
  } finally {
    clearTimeout(late)
    await worker.terminate()
  }
}
