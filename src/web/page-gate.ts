/**
 * The inline script. It makes the page `inert` while the splash covers it, and removes the splash
 * when the animation that times it (`splash-clock` in `gate.css`) ends. Needs no React. It loads the
 * page's main script while nothing moves, in the scene's quiet moment: compiling that takes a slow
 * phone a fifth of a second, and would cost the splash some frames. Without a splash, at once.
 *
 * On the open page, a visitor who has seen the splash before skips it. The mark for that is the
 * same for everybody and stays in the browser; without storage, the splash is shown.
 *
 * It is written into the document as source text, so it may use nothing from outside of the
 * function.
 *
 * @param main URL of the page's main script.
 */
export function gatePage(main: string) {
  const splash = document.getElementById('splash')
  const root = document.getElementById('root') as HTMLElement
  // Settled, not only fulfilled: a cancelled animation (printing, a user's style) must not block
  // the page.
  const end = (animations: Animation[]) => Promise.allSettled(animations.map((one) => one.finished))
  const isBack = () => {
    try {
      return root.dataset.open && localStorage.getItem('splash')
    } catch {}
  }
  const show = () => {
    root.inert = false
    root.dataset.since = String(performance.now())
    splash?.remove()
    try {
      localStorage.setItem('splash', 'seen')
    } catch {}
  }
  const start = () => {
    const script = document.createElement('script')
    script.type = 'module'
    script.src = main
    // The script was blocked, failed to load, or is too new for this browser: show what visitors
    // without script see. Where a server takes the form, nothing needs to be shown.
    const tell = () => {
      const told = document.querySelector('noscript')
      told?.replaceWith(told.textContent)
    }
    script.onerror = tell
    // A script that cannot be run is loaded too.
    script.onload = () => root.dataset.script || tell()
    document.head.append(script)
  }

  if (!splash || isBack()) {
    show()
    start()
    return
  }
  root.inert = true
  end(splash.getAnimations()).then(show)
  // The quiet moment is after its first animation; with reduced motion there is none.
  // Every scene with a splash has one: scripts/build/check-scene.ts.
  const quiet = splash.querySelector('[data-quiet]') as Element
  end(quiet.getAnimations().slice(0, 1)).then(start)
}
