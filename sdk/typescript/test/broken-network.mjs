// Networks that lose requests before they arrive and answers after they counted, and cut streams.

/** Answer the same numbers in [0, 1) for a seed. */
export function dice(seed) {
  let state = seed + 1;
  return () => {
    state = (state * 48271) % 2147483647;
    return state / 2147483647;
  };
}

/** A fetch that hurts as the dice say; it counts what it lost and cut. */
export function torn(roll) {
  const hurt = { lost: 0, cut: 0, fetch };
  hurt.fetch = async (input, init) => {
    const luck = roll();
    // Signing up has no key: every lost answer would leave a guest behind.
    if (luck < 0.1 && !String(input).endsWith("/players")) {
      hurt.lost += 1;
      throw new TypeError("lost before it arrived");
    }
    const answer = await fetch(input, init);
    if (answer.headers.get("Content-Type")?.startsWith("text/event-stream")) {
      hurt.cut += 1;
      const most = [5, 400, 2000, 8000, 30000][Math.floor(roll() * 5)];
      return new Response(cut(answer.body, most), answer);
    }
    // Chance decides, but one answer to a wish is lost at least.
    if (init.headers["Idempotency-Key"] && (luck < 0.3 || !hurt.lost)) {
      hurt.lost += 1;
      await answer.text();
      throw new TypeError("lost after it counted");
    }
    return answer;
  };
  return hurt;
}

function cut(body, most) {
  const reader = body.getReader();
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await reader.read();
      if (done) return controller.close();
      controller.enqueue(value.slice(0, most));
      most -= value.length;
      if (most <= 0) {
        await reader.cancel();
        controller.error(new TypeError("cut"));
      }
    },
    cancel: () => reader.cancel(),
  }, { highWaterMark: 0 });
}
