import { parentPort, workerData } from 'node:worker_threads'
import { openSvg } from './resvg.ts'

// Draws once, in a thread that can be ended.
const { svg, width, mostRatio } = workerData as Record<'width' | 'mostRatio', number> & {
  svg: string
}
const drawing = await openSvg(svg, { fitTo: { mode: 'width', value: width } }).catch(
  () => undefined,
)
const ratio = drawing ? drawing.width / drawing.height : 0
const isNarrow = Math.max(ratio, 1 / ratio) > mostRatio
if (!isNarrow) drawing?.render()
parentPort?.postMessage(!drawing ? 'wrong' : isNarrow ? 'narrow' : 'drawn')
