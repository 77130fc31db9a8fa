/**
 * Tells the splash where the backdrop beneath it ends, in `--foot`: links at the foot may take several
 * rows, and a page may be longer than the window. Measured anew whenever something begins to move.
 *
 * Goes into the document as its own source text, so it may use nothing from around it.
 */
export function measureFoot() {
  const splash = document.getElementById('splash')
  const backdrop = document.querySelector<HTMLElement>('.backdrop')
  splash?.addEventListener('animationstart', () => {
    const { offsetTop = 0, offsetHeight = 0 } = backdrop ?? {}
    splash.style.setProperty('--foot', `${splash.offsetHeight - offsetTop - offsetHeight}px`)
  })
}
