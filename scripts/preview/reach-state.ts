import type { Reach } from './views.ts'

/**
 * Brings a page of the preview into the state that its address asks for, as its visitor would, and
 * says so at its root element. Runs in the page, so it may use nothing from around it.
 */
export function reachState() {
  const doing = new URLSearchParams(location.search).get('doing') ?? '{}'
  const { focus, type, submit, isWaiting, isSplash }: Reach = JSON.parse(doing)
  /** Looks with each frame until it is so. */
  const until = (isSo: () => unknown) =>
    new Promise<void>((resolve) => {
      const look = () => (isSo() ? resolve() : requestAnimationFrame(look))
      look()
    })
  const endMotion = () => {
    // What turns while it waits has no end.
    for (const animation of document.getAnimations())
      if (animation.effect?.getComputedTiming().endTime !== Number.POSITIVE_INFINITY)
        animation.finish()
  }
  async function reach() {
    if (isSplash) return
    endMotion()
    // What comes late is part of the state: the figures of a countdown, by the server's clock, and pictures.
    await until(() => document.querySelector('[role=timer]')?.childElementCount !== 0)
    await Promise.allSettled([...document.images].map((image) => image.decode()))
    const field = document.querySelector<HTMLInputElement>('#email')
    const form = field?.form
    const root = document.getElementById('root')
    if (form && (focus || type)) {
      await until(() => root?.dataset.script && !root.inert)
      // The page that holds this one stays where it is.
      if (focus) field.focus({ preventScroll: true })
      if (type) {
        field.value = type
        field.dispatchEvent(new Event('input', { bubbles: true }))
      }
      if (submit) {
        form.requestSubmit()
        await until(() => form.dataset.status !== 'idle')
        await until(() => isWaiting || form.dataset.status !== 'loading')
      }
    }
    await new Promise(requestAnimationFrame)
    endMotion()
    document.documentElement.dataset.reached = 'yes'
  }
  addEventListener('load', reach)
}
