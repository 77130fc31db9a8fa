/** What a visitor saw of a splash. */
export interface SplashSeen {
  /** From the first paint until its node is gone, in milliseconds. */
  readonly length: number
  /**
   * Of the frames that were to show something new, the share in per cent that came late or never.
   */
  readonly lostFrames: number
  /** Tasks of the page's main thread of more than 50 ms. */
  readonly longTasks: number
}

/** A time in which something moves, in milliseconds after the first paint. */
export interface Motion {
  readonly from: number
  readonly to: number
}

/** What `readTrace` needs to be in a trace. */
export const traceCategories = [
  'loading',
  'blink.user_timing',
  'disabled-by-default-devtools.timeline',
  'disabled-by-default-devtools.timeline.frame',
]

/** Times are in microseconds. */
interface TraceEvent {
  readonly name: string
  readonly ph: string
  readonly pid: number
  readonly tid: number
  readonly ts: number
  readonly dur?: number
  readonly args: {
    readonly frame_reporter?: FrameReport
    readonly chrome_frame_reporter?: FrameReport
  }
}

/** How a frame of the compositor went; one whose main thread was late has two of them. */
interface FrameReport {
  readonly state: string
  readonly frame_sequence: number
  readonly affects_smoothness: boolean
  readonly has_compositor_animation: boolean
}

/**
 * @param trace as Chromium writes it.
 * @param motions of all that moves.
 * @throws when the splash is not whole in it.
 */
export function readTrace(trace: string, motions: readonly Motion[]): SplashSeen {
  const { traceEvents } = JSON.parse(trace) as { traceEvents: TraceEvent[] }
  const paint = traceEvents.find(({ name }) => name === 'firstPaint')
  const gone = traceEvents.find(({ name }) => name === 'splash gone')
  if (!paint || !gone) throw new Error('The trace has no whole splash.')
  const during = traceEvents.filter(
    ({ pid, ts }) => pid === paint.pid && ts >= paint.ts && ts <= gone.ts,
  )
  const tasks = during.filter(({ name, tid }) => name === 'RunTask' && tid === paint.tid)
  return {
    length: (gone.ts - paint.ts) / 1000,
    lostFrames: lostShare(
      during.filter(({ ts }) => {
        const at = (ts - paint.ts) / 1000
        return motions.some(({ from, to }) => at >= from && at <= to)
      }),
    ),
    longTasks: tasks.filter(({ dur = 0 }) => dur > 50_000).length,
  }
}

const moves = ({ affects_smoothness, has_compositor_animation }: FrameReport) =>
  affects_smoothness && has_compositor_animation

/**
 * A frame is lost when the compositor had an animation to move on and did not show it in time: its
 * report says that it was dropped and that this affects smoothness. One that was shown while the
 * main thread was late is not lost, since nothing here waits for the main thread; nor is one while
 * animations are under way in which nothing moves, as before the first and in the quiet moment.
 */
function lostShare(inMotion: readonly TraceEvent[]): number {
  const shown = new Set<number>()
  const lost = new Set<number>()
  for (const { name, ph, args } of inMotion) {
    const report = args.frame_reporter ?? args.chrome_frame_reporter
    if (name !== 'PipelineReporter' || ph !== 'b' || !report) continue
    if (report.state.startsWith('STATE_PRESENTED')) shown.add(report.frame_sequence)
    else if (report.state === 'STATE_DROPPED' && moves(report)) lost.add(report.frame_sequence)
  }
  const missing = [...lost].filter((frame) => !shown.has(frame)).length
  return (missing * 100) / (shown.size + missing)
}
