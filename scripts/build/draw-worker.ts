import { parentPort, workerData } from 'node:worker_threads'
import { openSvg } from './resvg.ts'

// Draws once, in a thread that can be ended.
const { svg, width } = workerData as { svg: string; width: number }
const drawn = await openSvg(svg, { fitTo: { mode: 'width', value: width } }).catch(() => undefined)
drawn?.render()
parentPort?.postMessage(drawn !== undefined)
