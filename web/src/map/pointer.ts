/** Mouse, touch and pen on the map: what is a click, a drag of the map, a drag of pieces, a pinch. */

export interface PointerHost {
  /** Whether a press at this point takes hold of pieces rather than of the map. */
  canDrag(x: number, y: number): boolean;
  pan(dx: number, dy: number): void;
  zoom(factor: number, x: number, y: number): void;
  tell(kind: 'click' | 'dblclick' | 'context' | 'hover' | 'leave' | 'drag' | 'drop' | 'cancel', at: Gesture): void;
}

export interface Gesture {
  x: number;
  y: number;
  shift: boolean;
  ctrl: boolean;
}

/** CSS pixels that a press may wander and still be a click. */
const SLACK = 5;
const LONG_PRESS = 550;

interface Press {
  x: number;
  y: number;
  lastX: number;
  lastY: number;
  mode: 'undecided' | 'pan' | 'pieces' | 'done';
  timer: number;
}

export class PointerInput {
  private readonly touches = new Map<number, { x: number; y: number }>();
  private press: Press | null = null;
  private readonly off = new AbortController();

  constructor(private readonly canvas: HTMLCanvasElement, private readonly host: PointerHost) {
    const listen = <K extends keyof HTMLElementEventMap>(kind: K, handle: (event: HTMLElementEventMap[K]) => void) =>
      canvas.addEventListener(kind, handle, { signal: this.off.signal, passive: false });
    canvas.style.touchAction = 'none';
    listen('pointerdown', (event) => this.down(event));
    listen('pointermove', (event) => this.move(event));
    listen('pointerup', (event) => this.up(event));
    listen('pointercancel', (event) => this.cancel(event));
    listen('pointerleave', (event) => {
      if (!this.press) host.tell('leave', this.gesture(event));
    });
    listen('wheel', (event) => this.wheel(event));
    listen('dblclick', (event) => host.tell('dblclick', this.gesture(event)));
    listen('contextmenu', (event) => {
      event.preventDefault();
      // a long touch has told of itself already
      if (this.press?.mode !== 'done') host.tell('context', this.gesture(event));
    });
  }

  destroy(): void {
    this.off.abort();
    if (this.press) clearTimeout(this.press.timer);
  }

  private gesture(event: MouseEvent): Gesture {
    const box = this.canvas.getBoundingClientRect();
    return {
      x: event.clientX - box.left,
      y: event.clientY - box.top,
      shift: event.shiftKey,
      ctrl: event.ctrlKey || event.metaKey,
    };
  }

  private down(event: PointerEvent): void {
    const at = this.gesture(event);
    this.touches.set(event.pointerId, { x: at.x, y: at.y });
    if (this.canvas.tabIndex >= 0) this.canvas.focus({ preventScroll: true });
    if (event.button === 2) return;
    try {
      this.canvas.setPointerCapture(event.pointerId);
    } catch {
      // a pointer that is gone already cannot be captured, and need not be
    }
    if (this.touches.size > 1) {
      this.dropPress();
      return;
    }
    const timer = event.pointerType === 'touch' ? window.setTimeout(() => this.longPress(at), LONG_PRESS) : 0;
    const mode = event.button === 1 ? 'pan' : 'undecided';
    this.press = { x: at.x, y: at.y, lastX: at.x, lastY: at.y, mode, timer };
    if (event.button === 1) event.preventDefault();
  }

  private longPress(at: Gesture): void {
    if (this.press?.mode !== 'undecided') return;
    this.press.mode = 'done';
    this.host.tell('context', at);
  }

  private move(event: PointerEvent): void {
    const at = this.gesture(event);
    if (this.touches.size === 2 && this.touches.has(event.pointerId)) {
      this.pinch(event.pointerId, at);
      return;
    }
    const { press } = this;
    if (!press) {
      this.host.tell('hover', at);
      return;
    }
    if (press.mode === 'undecided' && Math.hypot(at.x - press.x, at.y - press.y) > SLACK) {
      clearTimeout(press.timer);
      press.mode = this.host.canDrag(press.x, press.y) ? 'pieces' : 'pan';
      this.canvas.style.cursor = press.mode === 'pan' ? 'grabbing' : 'copy';
    }
    if (press.mode === 'pan') this.host.pan(at.x - press.lastX, at.y - press.lastY);
    if (press.mode === 'pieces') this.host.tell('drag', at);
    press.lastX = at.x;
    press.lastY = at.y;
  }

  private pinch(id: number, at: Gesture): void {
    const [a, b] = [...this.touches.values()];
    const before = { x: (a.x + b.x) / 2, y: (a.y + b.y) / 2, apart: Math.hypot(a.x - b.x, a.y - b.y) };
    this.touches.set(id, { x: at.x, y: at.y });
    const [c, d] = [...this.touches.values()];
    const after = { x: (c.x + d.x) / 2, y: (c.y + d.y) / 2, apart: Math.hypot(c.x - d.x, c.y - d.y) };
    this.host.pan(after.x - before.x, after.y - before.y);
    if (before.apart > 4) this.host.zoom(after.apart / before.apart, after.x, after.y);
  }

  private up(event: PointerEvent): void {
    const at = this.gesture(event);
    this.touches.delete(event.pointerId);
    const { press } = this;
    if (!press || event.button === 2) return;
    this.dropPress();
    if (press.mode === 'undecided') this.host.tell('click', at);
    if (press.mode === 'pieces') this.host.tell('drop', at);
  }

  private cancel(event: PointerEvent): void {
    this.touches.delete(event.pointerId);
    if (this.press?.mode === 'pieces') this.host.tell('cancel', this.gesture(event));
    this.dropPress();
  }

  private dropPress(): void {
    if (this.press) clearTimeout(this.press.timer);
    this.press = null;
    this.canvas.style.cursor = '';
  }

  private wheel(event: WheelEvent): void {
    event.preventDefault();
    const at = this.gesture(event);
    if (event.shiftKey) {
      this.host.pan(-(event.deltaX || event.deltaY), 0);
      return;
    }
    const lines = event.deltaMode === 1 ? 16 : event.deltaMode === 2 ? 400 : 1;
    // a notch of a wheel is about 100; a trackpad sends many small ones
    const notches = Math.max(-1.5, Math.min(1.5, (event.deltaY * lines) / 100));
    this.host.zoom(2 ** (-notches * (event.ctrlKey ? 0.9 : 0.35)), at.x, at.y);
  }
}
