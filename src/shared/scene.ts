/** The scenes that come with us: splash, backdrop and answer to a sign-up. */
export const scenes = ['candlesticks', 'horizon', 'mark', 'none'] as const

/** One of ours, or the folder of one's own in `brand/`. */
export type SceneName = (typeof scenes)[number] | `brand/${string}`

/** Checks the setting `scene`, which came from outside the type system. @returns one sentence, or none. */
export function findSceneMistakes(scene: unknown): string[] {
  if (scenes.some((one) => one === scene)) return []
  if (typeof scene === 'string' && /^brand\/[\w-]+$/.test(scene)) return []
  const ours = scenes.map((one) => `'${one}'`).join(', ')
  return [`scene: is "${scene}", must be one of ${ours}, or a folder like 'brand/scene'`]
}
