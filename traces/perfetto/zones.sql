-- How long were parts of the program? Cycles of each zone: the mean over lanes, and the lane with most
-- of it. The result's `zones` are means on wafers and the largest on Tensix cores.
WITH lane AS (
  SELECT slice.name AS zone, slice.track_id, SUM(slice.dur) AS cycles
  FROM slice
  JOIN thread_track ON thread_track.id = slice.track_id
  JOIN thread USING (utid)
  WHERE thread.name LIKE 'zones%' AND slice.dur > 0
  GROUP BY slice.name, slice.track_id
)
SELECT zone, COUNT(*) AS lanes, ROUND(AVG(cycles), 1) AS mean_cycles, MAX(cycles) AS most_cycles
FROM lane
GROUP BY zone
ORDER BY mean_cycles DESC, zone;
