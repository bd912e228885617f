-- What did units do? Cycles by operation, for each kind of unit. Zones and positions of switches are no operations.
SELECT
  thread.name AS unit,
  slice.name AS operation,
  COUNT(*) AS times,
  SUM(slice.dur) AS cycles,
  MIN(slice.dur) AS shortest,
  MAX(slice.dur) AS longest
FROM slice
JOIN thread_track ON thread_track.id = slice.track_id
JOIN thread USING (utid)
WHERE slice.dur > 0 AND thread.name NOT LIKE 'zones%' AND thread.name NOT LIKE 'switch%'
GROUP BY thread.name, slice.name
ORDER BY cycles DESC, unit, operation;
