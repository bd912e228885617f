-- What did units wait for? Cycles by cause, for each kind of unit. All rows of a cause add up to the
-- result's `stalls`.
SELECT
  slice.name AS cause,
  thread.name AS unit,
  COUNT(*) AS waits,
  SUM(args.int_value) AS cycles,
  MAX(args.int_value) AS longest
FROM slice
JOIN args ON args.arg_set_id = slice.arg_set_id AND args.key = 'debug.cycles'
JOIN thread_track ON thread_track.id = slice.track_id
JOIN thread USING (utid)
WHERE slice.category = 'stall'
GROUP BY slice.name, thread.name
ORDER BY cycles DESC, cause, unit;
